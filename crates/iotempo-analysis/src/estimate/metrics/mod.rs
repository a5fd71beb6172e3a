//! How good an estimate is.

mod dunn;
mod errors;
mod kendall;
mod regret;
mod shape;
mod wasserstein;

pub use dunn::{Dunn, dunn};
pub use errors::{Errors, relative_error};
pub use kendall::kendall_tau_b;
pub use regret::{best, regret};
pub use shape::shape_error;
pub use wasserstein::wasserstein_of_logs;
