//! A trace as a file: appears whole, or not at all.

use super::plan::Plan;
use super::tmio;
use super::words::Format;
use crate::cli::TableFormat;
use crate::convert::{Columns, Rows, Table, Target, create};
use crate::settings::usage_error;
use anyhow::Context;
use iotempo_model::{FileId, Hertz, Op, Trace};
use iotempo_sim::Synthetic;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes a trace to `path`, or to standard output; how many rows it has.
pub(super) fn write(made: &Synthetic, plan: &Plan, path: Option<&Path>) -> anyhow::Result<u64> {
    let Some(path) = path else {
        return rows(made, plan, Box::new(io::stdout()));
    };
    let name = || path.display().to_string();
    let (file, target) = Target::create(path).with_context(name)?;
    let written = rows(made, plan, Box::new(file)).with_context(name)?;
    target.commit().with_context(name)?;
    Ok(written)
}

fn rows(made: &Synthetic, plan: &Plan, out: Box<dyn Write + Send>) -> anyhow::Result<u64> {
    let format = match plan.format {
        Format::Csv => TableFormat::Csv,
        Format::Jsonl => TableFormat::Jsonl,
        Format::Tmio => return tmio_rows(made, plan.rate, out),
    };
    let rows = match plan.rate {
        Some(_) => Rows::Signal,
        None => Rows::Requests,
    };
    let input = false;
    let mut table = create(format, out, Columns { rows, input })?;
    let written = match plan.rate {
        Some(rate) => samples(made, rate, table.as_mut())?,
        None => requests(&made.trace, table.as_mut())?,
    };
    table.finish(&[])?;
    Ok(written)
}

fn requests(trace: &Trace, table: &mut dyn Table) -> io::Result<u64> {
    let ids: Vec<FileId> = trace
        .files
        .iter()
        .map(|(_, name)| table.file(name))
        .collect();
    for mut request in trace.iter() {
        if let Some(&id) = ids.get(request.file.0 as usize) {
            request.file = id;
        }
        table.push(request)?;
    }
    Ok(trace.len() as u64)
}

/// The signals of both directions over the whole run.
fn signals(made: &Synthetic, rate: Hertz) -> anyhow::Result<[iotempo_model::Signal; 2]> {
    let of = |op| made.signal_of(op, rate).map_err(usage_error);
    Ok([of(Op::Read)?, of(Op::Write)?])
}

fn samples(made: &Synthetic, rate: Hertz, table: &mut dyn Table) -> anyhow::Result<u64> {
    let [read, write] = signals(made, rate)?;
    let both = read.samples().iter().zip(write.samples());
    for (index, (read, written)) in both.enumerate() {
        table.sample(write.time(index).get(), *read, *written)?;
    }
    Ok(write.samples().len() as u64)
}

fn tmio_rows(
    made: &Synthetic,
    rate: Option<Hertz>,
    out: Box<dyn Write + Send>,
) -> anyhow::Result<u64> {
    let mut out = BufWriter::new(out);
    let rows = match rate {
        None => {
            tmio::phases(made, &mut out)?;
            made.trace.len() as u64
        }
        Some(rate) => {
            let both = signals(made, rate)?;
            tmio::signal(made, &both, &mut out)?;
            both[1].samples().len() as u64
        }
    };
    out.flush()?;
    Ok(rows)
}
