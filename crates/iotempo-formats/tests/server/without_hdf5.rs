//! A build that cannot read HDF5 says which feature would.

use crate::kept::read_text;

#[test]
fn the_feature_is_named() {
    let error = read_text(b"\x89HDF\r\n\x1a\n\0\0\0\0".to_vec())
        .unwrap_err()
        .to_string();
    assert!(error.contains("made without the feature hdf5"), "{error}");
}
