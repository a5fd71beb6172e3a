//! NumPy, SciPy, scikit-learn, PyWavelets and tslearn on random inputs.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::disallowed_types,
    clippy::disallowed_methods
)]

mod forest;
mod outliers;
mod peaks;
mod python;
mod random;
mod sequences;
mod transforms;
