//! A page becomes a file, whole or not at all.

use crate::convert::Target;
use anyhow::Context;
use iotempo_report::PeriodPage;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Writes `page` beside `path` and gives it that name when it is complete.
pub(crate) fn write_page(path: &Path, page: &PeriodPage) -> anyhow::Result<()> {
    let write = || {
        let (file, target) = Target::create(path)?;
        let mut out = BufWriter::new(file);
        page.write_into(&mut out)?;
        out.flush()?;
        target.commit()
    };
    write().with_context(|| path.display().to_string())
}
