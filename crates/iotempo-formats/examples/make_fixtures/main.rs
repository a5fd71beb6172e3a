//! Writes the files of `testdata/` anew, always the same.
//!
//! `cargo run -p iotempo-formats --example make_fixtures [FOLDER]`

#[path = "fixtures.rs"]
mod fixtures;

use std::error::Error;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let folder = std::env::args_os().nth(1).map_or(testdata, PathBuf::from);
    for (name, bytes) in fixtures::all()? {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(&folder))?;
        std::fs::write(path, bytes)?;
    }
    Ok(())
}
