//! Whether two columns of numbers depend on each other, how, and how sure that is.
//!
//! After Madireddy et al., *Analysis and Correlation of Application I/O Performance and System-Wide I/O
//! Activity*, NAS 2017: does a job's I/O take longer while the file system is busy? Four coefficients tell
//! of straight, monotonic and any other dependence; permutations tell how likely chance is to look the
//! same, resampling between which values a coefficient lies; a forest and a density tell how the one
//! column goes with the other. Points of one campaign are no independent samples: [`Blocks`] keeps them
//! together.
//!
//! ```
//! use iotempo_analysis::association::{Blocks, Coefficient, Permutations};
//!
//! let traffic = [3.0, 1.0, 4.0, 1.5, 9.0, 2.0, 6.0, 5.0];
//! let seconds = [32.0, 11.0, 41.0, 14.0, 95.0, 22.0, 58.0, 51.0];
//! let days = Blocks::of(&[1, 1, 2, 2, 3, 3, 4, 4]);
//! let tested = Permutations::default()
//!     .test(Coefficient::Spearman, &traffic, &seconds, Some(&days))
//!     .unwrap();
//! assert!(tested.observed > 0.99);
//! // Four days have 24 orders: even a perfect order is not rarer than that.
//! assert!(tested.p_value > 0.02);
//! ```

mod adjustment;
mod bandwidth;
mod blocks;
mod bootstrap;
mod coefficient;
mod coefficients;
mod columns;
mod conditional;
mod density;
mod distance;
mod forest;
mod information;
mod normal;
mod order;
pub(crate) mod parallel;
mod permutation;
mod quantile;
mod undetermined;

pub use adjustment::{benjamini_hochberg, holm};
pub use bandwidth::{Bandwidth, sheather_jones};
pub use blocks::Blocks;
pub use bootstrap::{Bootstrap, Interval, Method, bca_interval, percentile_interval};
pub use coefficient::Coefficient;
pub use coefficients::{pearson, ranks, spearman};
pub use conditional::{Band, Conditional, FEWEST_EFFECTIVE};
pub use density::Density;
pub use distance::{distance_correlation, distance_correlation_corrected};
pub use forest::{Forest, ForestSettings};
pub use information::{Information, mutual_information, mutual_information_as_is};
pub use permutation::{Permutations, Permuted};
pub use undetermined::{Column, Undetermined};
