//! The period while a job still runs.
//!
//! A [`Follower`] is fed transfers as they become known, and is asked for a [`Prediction`] whenever
//! that is worth it: whether I/O repeats, at which period, when the next phase is due and what it
//! will move. It remembers no more than it needs: the last periods of a rhythm, or all that is known,
//! ever more coarsely, where there is none. When the phase has come it says how wrong it was.
//!
//! ```
//! use iotempo_analysis::online::{Follower, Settings, State};
//! use iotempo_model::{Bytes, Interval, Origin, Seconds, Source};
//!
//! let seconds = |value| Seconds::new(value).unwrap();
//! let mut follower = Follower::new(Settings::default(), Origin::new(Source::Requests));
//! for phase in 0..6 {
//!     let start = 20.0 * f64::from(phase);
//!     let when = Interval::new(seconds(start), seconds(start + 2.0)).unwrap();
//!     follower.add(when, Bytes::from(1 << 30));
//! }
//! let prediction = follower.predict(seconds(103.0));
//! assert_eq!(prediction.state, State::Periodic);
//! let next = prediction.next.unwrap();
//! assert!((next.start.value.get() - 120.0).abs() < 0.5);
//! assert!((next.bytes.get() / (1 << 30) as f64 - 1.0).abs() < 1e-9);
//! ```

mod accuracy;
mod follower;
mod forecast;
mod history;
mod intervals;
mod known;
mod look;
mod past;
mod prediction;
mod stretches;
mod window;

pub use accuracy::{Accuracy, Outcome};
pub use follower::Follower;
pub use intervals::PeriodInterval;
pub use past::{Past, PastRhythm};
pub use prediction::{NextPhase, Prediction, State};
pub use window::{Settings, Window};
