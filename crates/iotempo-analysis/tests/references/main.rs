//! NumPy, SciPy, scikit-learn, dcor, PyWavelets and tslearn on random inputs.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::disallowed_types,
    clippy::disallowed_methods
)]

mod association;
mod forest;
mod outliers;
mod peaks;
mod python;
mod random;
mod sequences;
mod signatures;
mod transforms;
