pub(super) fn sniff(_: &[u8]) -> bool { false }
pub(super) fn read(
    _: crate::input::Input,
    _: &super::options::Options,
    _: &mut dyn iotempo_model::ThroughputSink,
) -> Result<super::options::Reading, crate::error::Error> { todo!() }
