//! Readers take any bytes: they never panic, hang, or take memory that an input merely asks for.
//!
//! The same bodies run under `cargo fuzz`; see `fuzz/README.md`.
#![allow(clippy::print_stderr)]

#[path = "support/bodies.rs"]
mod bodies;
#[path = "support/harness.rs"]
mod harness;
#[path = "support/mutate.rs"]
mod mutate;
#[path = "support/rng.rs"]
mod rng;
#[path = "support/surgery.rs"]
mod surgery;

/// A test per reader: the folder of its corpus, the body that runs, and how inputs are mutated.
macro_rules! readers {
    ($($reader:ident => $body:path, $mutated:path;)*) => {
        $(#[test]
        fn $reader() {
            harness::run(stringify!($reader), $body, $mutated);
        })*
    };
}

readers! {
    darshan => bodies::darshan, surgery::mutated_log;
}
