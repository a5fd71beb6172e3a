//! Where the preloaded library lies.

use anyhow::bail;
use std::path::{Path, PathBuf};

const NAME: &str = "libiotempo_tracer.so";

/// The library: where `IOTEMPO_TRACER` says, else beside the program or where it is installed.
///
/// # Errors
/// Where it is nowhere, or where its path is none that can be preloaded.
pub(super) fn find() -> anyhow::Result<PathBuf> {
    let found = match std::env::var_os("IOTEMPO_TRACER").filter(|path| !path.is_empty()) {
        Some(named) => {
            let named = PathBuf::from(named);
            let inside = named.join(NAME);
            match inside.is_file() {
                true => inside,
                false if named.is_file() => named,
                false => bail!("IOTEMPO_TRACER: no library at {}", named.display()),
            }
        }
        None => beside_program()?,
    };
    let path = std::path::absolute(found)?;
    let splits = |c: char| c == ':' || c.is_whitespace();
    if path.to_str().is_none_or(|text| text.contains(splits)) {
        bail!(
            "{}: a library with a blank or a colon in its path cannot be preloaded; copy it \
             elsewhere and name it in IOTEMPO_TRACER",
            path.display()
        );
    }
    Ok(path)
}

fn beside_program() -> anyhow::Result<PathBuf> {
    let program = std::env::current_exe()?;
    let folder = program.parent().unwrap_or(Path::new("/"));
    let places = [".", "../lib", "../lib64", "deps", ".."].map(|place| folder.join(place));
    let mut libraries = places.iter().map(|place| place.join(NAME));
    match libraries.find(|library| library.is_file()) {
        Some(library) => Ok(library.canonicalize()?),
        None => bail!(
            "{NAME} is neither in {} nor in ../lib: IOTEMPO_TRACER can say where it is",
            folder.display()
        ),
    }
}
