//! Ways to tell the values that stand out, each with the meaning of its reference implementation.

mod dbscan;
mod forest;
mod kd_tree;
mod lof;
mod quantile;
pub(crate) mod random;
mod z_score;

pub use dbscan::Dbscan;
pub use forest::IsolationForest;
pub use kd_tree::Point;
pub use lof::LocalOutlierFactors;
pub use z_score::z_scores;
