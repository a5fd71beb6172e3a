//! What is said of HDF5 where it cannot be read.

use super::options::{Options, Reading};
use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use iotempo_model::ThroughputSink;

pub(super) fn read(_: Input, _: &Options, _: &mut dyn ThroughputSink) -> Result<Reading, Error> {
    let message = "HDF5 (pylmt, TOKIO) is not read by this build: it was made without the feature \
                   hdf5";
    let kind = ErrorKind::Unsupported(message.to_owned());
    Err(Error::new("", Place::Whole, kind))
}
