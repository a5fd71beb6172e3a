//! Runs of applications: which jobs are runs of the same, and what servers moved while each ran.
//!
//! A job log names jobs, a server's log knows no jobs at all; where both clocks agree, the hours of a
//! job can be cut out of what the servers moved. What is cut out holds everybody's I/O.

mod application;
mod around;
mod clockwork;
mod cut;
#[cfg(test)]
mod fixtures;
mod watch;

pub use application::{Application, Likeness, applications};
pub use around::{Beside, Side, TELLING_STEPS, free_around, looked_at};
pub use cut::{Cutter, MOST_FILLED, Rejection, Run};
pub use watch::Watch;
