//! How the library is linked.
#![allow(clippy::print_stdout)]

fn main() {
    // Hooks must never be unloaded: programs keep pointers to them.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo:rerun-if-changed=build.rs");
}
