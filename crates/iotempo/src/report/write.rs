//! A page becomes a file, whole or not at all.

use crate::convert::Target;
use anyhow::Context;
use iotempo_report::PeriodPage;
use std::io::Write;
use std::path::Path;

/// Writes `page` beside `path` and gives it that name when it is complete.
pub(crate) fn write_page(path: &Path, page: &PeriodPage) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    page.write_into(&mut bytes)?;
    write_bytes(path, &bytes)
}

/// Writes a file beside and renames it.
pub(crate) fn write_bytes(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let write = || {
        let (mut file, target) = Target::create(path)?;
        file.write_all(bytes)?;
        target.commit()
    };
    write().with_context(|| path.display().to_string())
}
