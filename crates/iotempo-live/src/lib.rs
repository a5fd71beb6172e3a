//! Jobs that still run.
//!
//! A [`Source`] is looked at again and again and gives what is new; a [`Job`] takes it in and says what
//! is expected next; a [`Watch`] is both of them together, and [`Line`] is what others are told.

mod clock;
mod job;
mod line;
mod recording;
mod source;
mod watch;

pub use job::{Follows, Job, Totals};
pub use line::{Line, SCHEMA};
pub use recording::{Bar, Bars, Rates, Recording, Stretch};
#[cfg(unix)]
pub use source::Socket;
pub use source::{
    Address, News, Peers, Prometheus, Query, RangeQuery, Source, Stream, Values, read_range,
};
pub use watch::{Event, Watch};
