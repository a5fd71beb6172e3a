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

#[cfg(test)]
mod tests {
    use super::super::kept::Kept;
    use super::*;

    #[test]
    fn the_feature_is_named() {
        let table = Input::bytes(b"\x89HDF\r\n\x1a\n");
        let error = read(table, &Options::default(), &mut Kept::default())
            .expect_err("nothing can read it");
        assert!(
            error.to_string().contains("made without the feature hdf5"),
            "{error}"
        );
    }
}
