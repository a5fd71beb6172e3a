#![no_main]

#[path = "../../crates/iotempo-formats/tests/support/bodies.rs"]
mod bodies;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bodies::benchmarks(bytes));
