//! What the servers of a file system see of applications that share it: a throughput every two seconds,
//! with everybody's I/O in it. In the likeness of Spider, the file system of Titan, and of the
//! applications that IOSI was measured with (Liu et al., FAST 2014).

mod application;
mod centre;
mod load;
mod runs;

pub use application::{Application, PlannedBurst};
pub use centre::{Centre, CentreJob, CentreLog};
pub use runs::{Run, Runs, ServerSamples, ServerTruth};
