//! FTIO while the job runs: a prediction for every flush, and the window that the next one looks at.
//!
//! A [`Predictor`] is given the bandwidth so far whenever there is more of it, and answers with a
//! [`Step`]. Its [`Strategy`] moves the start of the window, so that old behaviour is forgotten;
//! the frequencies of all steps are merged into intervals with probabilities.
//!
//! ```
//! use iotempo_analysis::ftio::online::{Predictor, Strategy};
//! use iotempo_analysis::ftio::{Points, Rate, Settings};
//! use iotempo_model::Hertz;
//!
//! let settings = Settings {
//!     freq: Rate::Fixed(Hertz::new(1.0).unwrap()),
//!     ..Settings::default()
//! };
//! let mut predictor = Predictor::new(settings, Strategy::FrequencyHits, 3);
//! // 3 s at 1 GB/s every 10 s; a prediction after each phase from the eighth on.
//! for phases in 8..16 {
//!     let bursts = (0..phases).flat_map(|i| [(10.0 * f64::from(i), 1e9), (10.0 * f64::from(i) + 3.0, 0.0)]);
//!     let (times, rates) = bursts.unzip();
//!     let step = predictor.step(&Points::new(times, rates).unwrap(), None);
//!     assert_eq!(step.ts_in_s > 0.0, phases > 11, "after the fourth hit");
//! }
//! ```

mod adwin;
mod cusum;
mod intervals;
mod page_hinkley;
mod predictor;
mod recent;
mod strategy;

pub use adwin::Adwin;
pub use cusum::Cusum;
pub use intervals::{Interval, Prediction, intervals};
pub use page_hinkley::PageHinkley;
pub use predictor::{Predictor, Step};
pub use strategy::{Strategy, UnknownStrategy};
