//! JSON lines as TMIO writes them when a job ends: a line per mode, and one about time.
//!
//! A synchronous request is a phase of its own there. TMIO keeps rates, not volumes, and gathers
//! ranks one after the other without naming them; numbers have all their digits here, where TMIO
//! writes six decimals.

use crate::envelope::write_number;
use iotempo_model::{Op, Request, Signal};
use iotempo_sim::Synthetic;
use std::io::{self, Write};

/// The modes of TMIO, in its order, and what a generated trace has in them.
const MODES: [(&str, Option<Op>); 6] = [
    ("read_sync", Some(Op::Read)),
    ("read_async_t", None),
    ("read_async_b", None),
    ("write_async_t", None),
    ("write_async_b", None),
    ("write_sync", Some(Op::Write)),
];

/// Every request as a phase.
pub(super) fn phases(made: &Synthetic, out: &mut impl Write) -> io::Result<()> {
    for (mode, op) in MODES {
        let of_mode = |request: &Request| Some(request.op) == op;
        let mut phases: Vec<Request> = made.trace.iter().filter(of_mode).collect();
        phases.sort_by_key(|phase| phase.rank);
        begin(out, mode, &Totals::of(&phases))?;
        list(out, "b_rank_avr", phases.iter().map(rate))?;
        write!(out, ",")?;
        let starts = phases.iter().map(|phase| phase.when.start().get());
        list(out, "t_rank_s", starts)?;
        write!(out, ",")?;
        list(
            out,
            "t_rank_e",
            phases.iter().map(|phase| phase.when.end().get()),
        )?;
        end(out)?;
    }
    io_time(made, out)
}

/// The bandwidth of the whole application: each rate holds until the next time.
pub(super) fn signal(
    made: &Synthetic,
    directions: &[Signal; 2],
    out: &mut impl Write,
) -> io::Result<()> {
    for (mode, op) in MODES {
        let of_mode = |request: &Request| Some(request.op) == op;
        let phases: Vec<Request> = made.trace.iter().filter(of_mode).collect();
        let mut totals = Totals::of(&phases);
        let signal = op.map(|op| &directions[op as usize]);
        let signal = signal.filter(|signal| signal.volume().get() > 0.0);
        // A sample, and the end of the last one, stand in the place of a phase.
        totals.phases = signal.map_or(0, |signal| signal.samples().len() + 1);
        begin(out, mode, &totals)?;
        let rates = signal.into_iter().flat_map(|signal| signal.samples());
        // One more time, at which the last rate ends.
        let times = signal
            .into_iter()
            .flat_map(|signal| (0..=signal.samples().len()).map(|index| signal.time(index).get()));
        let stop = signal.map(|_| 0.0);
        list(out, "b_overlap_avr", rates.copied().chain(stop))?;
        write!(out, ",")?;
        list(out, "t_overlap", times)?;
        end(out)?;
    }
    io_time(made, out)
}

fn rate(phase: &Request) -> f64 {
    phase.bytes.get() / phase.when.length().get()
}

/// Sums and maxima over phases.
#[derive(Default)]
struct Totals {
    bytes: f64,
    phases: usize,
    operations: usize,
    ranks: usize,
    most_phases: usize,
    most_bytes_in_phase: f64,
    most_bytes_of_rank: f64,
}

impl Totals {
    fn of(phases: &[Request]) -> Self {
        let mut sorted: Vec<_> = phases.iter().collect();
        sorted.sort_by_key(|phase| phase.rank);
        let mut totals = Self::default();
        for rank in sorted.chunk_by(|a, b| a.rank == b.rank) {
            let bytes: f64 = rank.iter().map(|phase| phase.bytes.get()).sum();
            let largest = rank.iter().map(|phase| phase.bytes.get());
            totals.bytes += bytes;
            totals.phases += rank.len();
            totals.operations += rank.len();
            totals.ranks += 1;
            totals.most_phases = totals.most_phases.max(rank.len());
            totals.most_bytes_of_rank = totals.most_bytes_of_rank.max(bytes);
            totals.most_bytes_in_phase = largest.fold(totals.most_bytes_in_phase, f64::max);
        }
        totals
    }
}

fn begin(out: &mut impl Write, mode: &str, totals: &Totals) -> io::Result<()> {
    let Totals {
        phases,
        operations,
        ranks,
        most_phases,
        ..
    } = totals;
    let most_at_once = usize::from(*operations > 0);
    write!(out, "\t{{\"{mode}\":{{\"total_bytes\": ")?;
    write_number(out, totals.bytes)?;
    write!(out, ",\"max_bytes_per_rank\": ")?;
    write_number(out, totals.most_bytes_of_rank)?;
    write!(out, ",\"max_bytes_per_phase\": ")?;
    write_number(out, totals.most_bytes_in_phase)?;
    write!(
        out,
        ",\"max_io_phases_per_rank\": {most_phases},\"total_io_phases\": {phases},\
         \"max_io_ops_in_phase\": {most_at_once},\"max_io_ops_per_rank\": {most_phases},\
         \"total_io_ops\": {operations},\"number_of_ranks\": {ranks},\"bandwidth\": {{"
    )
}

fn end(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "}}}}}}")
}

fn list(out: &mut impl Write, name: &str, values: impl Iterator<Item = f64>) -> io::Result<()> {
    write!(out, "\"{name}\": [")?;
    for (index, value) in values.enumerate() {
        write!(out, "{}", if index == 0 { " " } else { ", " })?;
        write_number(out, value)?;
    }
    write!(out, "]")
}

/// How long ranks ran, and how long they read and wrote, summed over all of them.
fn io_time(made: &Synthetic, out: &mut impl Write) -> io::Result<()> {
    let time_in = |op| -> f64 {
        let of_op = made.trace.iter().filter(|request| request.op == op);
        of_op.map(|request| request.when.length().get()).sum()
    };
    let (read, write) = (time_in(Op::Read), time_in(Op::Write));
    let span = made.truth.span.get();
    let ranks = made.trace.origin.job.ranks.unwrap_or(1) as f64;
    write!(out, "\t{{\"io_time\":{{")?;
    for (name, value) in [
        ("delta_t_agg", span * ranks),
        ("delta_t_agg_io", read + write),
        ("delta_t_sr", read),
        ("delta_t_ara", 0.0),
        ("delta_t_arr", 0.0),
        ("delta_t_ar_lost", 0.0),
        ("delta_t_sw", write),
        ("delta_t_awa", 0.0),
        ("delta_t_awr", 0.0),
        ("delta_t_aw_lost", 0.0),
        ("delta_t_overhead", 0.0),
        ("delta_t_rank0", span),
    ] {
        let comma = if name == "delta_t_agg" { "" } else { "," };
        write!(out, "{comma}\"{name}\": ")?;
        write_number(out, value)?;
    }
    writeln!(out, "}}}}")
}
