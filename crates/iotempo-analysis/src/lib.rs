//! From signals to findings: whether I/O repeats, at which period, how sure that is, and why.
//!
//! Every analysis is a small configured value that reads a [`Signal`](iotempo_model::Signal) and
//! returns a finding that carries its evidence. Nothing here opens a file, reads a clock or prints.

pub mod association;
pub mod autocorrelation;
pub mod binomial;
pub mod character;
pub mod correlate;
pub mod dtw;
pub mod estimate;
pub mod ftio;
pub mod online;
pub mod outliers;
pub mod peaks;
pub mod period;
pub mod phases;
mod plans;
mod products;
pub mod runs;
pub mod sampling;
pub mod scalogram;
pub mod signature;
pub mod spectrum;
pub mod wavelet;

pub use ftio::Finding as FtioFinding;
