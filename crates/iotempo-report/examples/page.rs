//! A page about a run that was made up, to look at: writes every 47 s, later every 94 s, and reads
//! without a rule.
//!
//! `cargo run -p iotempo-report --example page > page.html`
#![allow(clippy::unwrap_used, clippy::print_stdout)]

#[path = "../tests/support/made.rs"]
mod made;

fn main() {
    let parts = vec![made::checkpoints(0.25), made::irregular(0.25)];
    print!("{}", made::html(&made::page("runs/heat3d.darshan", parts)));
}
