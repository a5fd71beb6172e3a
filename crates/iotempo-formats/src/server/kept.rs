//! What tests hand volumes to: each of them as its start, its end and its bytes.

use iotempo_model::{Moved, Target, TargetId, ThroughputSink};
use std::io;

#[derive(Default)]
pub(super) struct Kept(pub(super) Vec<(f64, f64, f64)>);

impl ThroughputSink for Kept {
    fn target(&mut self, _: &Target) -> TargetId {
        TargetId(0)
    }

    fn moved(&mut self, moved: Moved) -> io::Result<()> {
        let (start, end) = (moved.when.start(), moved.when.end());
        self.0.push((start.get(), end.get(), moved.bytes.get()));
        Ok(())
    }
}
