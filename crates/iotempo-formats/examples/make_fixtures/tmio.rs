//! The MPI-IO calls of a run as TMIO records them: one synchronous phase a call.

use super::heat3d::Run;
use super::requests::{Row, rows};

/// The phases of one direction, rank after rank as TMIO gathers them.
fn phases(run: &Run, op: &str) -> Vec<Row> {
    let mut phases: Vec<Row> = rows(run).into_iter().filter(|row| row.op == op).collect();
    phases.sort_by_key(|row| row.rank);
    phases
}

/// Sums and maxima over phases.
struct Totals {
    bytes: i64,
    max_bytes_per_rank: i64,
    max_bytes_per_phase: i64,
    max_phases_per_rank: usize,
    phases: usize,
    ranks: usize,
}

impl Totals {
    fn of(run: &Run, phases: &[Row]) -> Self {
        let of_rank = |rank| phases.iter().filter(move |row| row.rank == rank);
        let ranks = 0..run.job.nprocs;
        let bytes_of_rank = |rank| of_rank(rank).map(|row| row.segment.length).sum();
        Self {
            bytes: phases.iter().map(|row| row.segment.length).sum(),
            max_bytes_per_rank: ranks.clone().map(bytes_of_rank).max().unwrap_or(0),
            max_bytes_per_phase: phases.iter().map(|r| r.segment.length).max().unwrap_or(0),
            max_phases_per_rank: ranks.clone().map(|r| of_rank(r).count()).max().unwrap_or(0),
            phases: phases.len(),
            ranks: ranks.filter(|&rank| of_rank(rank).next().is_some()).count(),
        }
    }
}

fn rate(row: &Row) -> f64 {
    row.segment.length as f64 / (row.segment.end - row.segment.start)
}

fn time_in(phases: &[Row]) -> f64 {
    phases.iter().map(|r| r.segment.end - r.segment.start).sum()
}

/// One flush in JSON lines, with few digits where TMIO writes few.
pub(crate) fn json_lines(run: &Run) -> String {
    let (reads, writes) = (phases(run, "read"), phases(run, "write"));
    let mut lines = String::new();
    for (mode, phases) in [
        ("read_sync", &reads[..]),
        ("read_async_t", &[]),
        ("read_async_b", &[]),
        ("write_async_t", &[]),
        ("write_async_b", &[]),
        ("write_sync", &writes[..]),
    ] {
        lines += &format!("\t{{\"{mode}\":{}}}\n", json_mode(run, phases));
    }
    lines += &format!("\t{{\"io_time\":{}}}\n", json_io_time(run, &reads, &writes));
    lines
}

fn json_mode(run: &Run, phases: &[Row]) -> String {
    let totals = Totals::of(run, phases);
    let list = |value: &dyn Fn(&Row) -> f64| {
        let values: Vec<String> = phases.iter().map(|r| format!(" {:.6}", value(r))).collect();
        format!("[{}]", values.join(","))
    };
    let (rates, starts) = (list(&rate), list(&|row| row.segment.start));
    let ends = list(&|row| row.segment.end);
    format!(
        "{{\"total_bytes\": {},\"max_bytes_per_rank\": {},\"max_bytes_per_phase\": {},\
         \"max_io_phases_per_rank\": {},\"total_io_phases\": {},\"max_io_ops_in_phase\": {},\
         \"max_io_ops_per_rank\": {},\"total_io_ops\": {},\"number_of_ranks\": {},\
         \"bandwidth\": {{\"weighted_harmonic_mean\": 0.00e+00,\"harmonic_mean\": 0.00e+00,\
         \"arithmetic_mean\": 0.00e+00,\"median\": 0.00e+00,\"max\": 0.00e+00,\
         \"min\": 0.00e+00,\"b_rank_avr\": {rates},\"b_rank_sum\": {rates},\
         \"t_rank_s\": {starts},\"t_rank_e\": {ends},\"b_ind\": {rates},\
         \"t_ind_s\": {starts},\"t_ind_e\": {ends}}}}}",
        scientific(totals.bytes as f64),
        scientific(totals.max_bytes_per_rank as f64),
        scientific(totals.max_bytes_per_phase as f64),
        totals.max_phases_per_rank,
        totals.phases,
        usize::from(totals.phases > 0),
        totals.max_phases_per_rank,
        totals.phases,
        totals.ranks,
    )
}

fn json_io_time(run: &Run, reads: &[Row], writes: &[Row]) -> String {
    let all = run.run_time_s * run.job.nprocs as f64;
    let (reading, writing) = (time_in(reads), time_in(writes));
    let fields = [
        ("delta_t_agg", all),
        ("delta_t_agg_io", reading + writing),
        ("delta_t_sr", reading),
        ("delta_t_ara", 0.0),
        ("delta_t_arr", 0.0),
        ("delta_t_ar_lost", 0.0),
        ("delta_t_sw", writing),
        ("delta_t_awa", 0.0),
        ("delta_t_awr", 0.0),
        ("delta_t_aw_lost", 0.0),
        ("delta_t_overhead", 0.0),
        ("delta_t_rank0", run.run_time_s),
    ]
    .map(|(name, value)| format!("\"{name}\": {}", scientific(value)));
    format!("{{{}}}", fields.join(","))
}

/// As C's `%.2e`.
fn scientific(value: f64) -> String {
    let text = format!("{value:.2e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

/// The same as one object, as TMIO writes it when the job ends.
pub(crate) fn json(run: &Run) -> String {
    let lines = json_lines(run);
    let members: Vec<&str> = lines
        .lines()
        .map(|line| line.trim().trim_start_matches('{').trim_end_matches('}'))
        .collect();
    let closed = |member: &&str| {
        let open = member.matches('{').count() - member.matches('}').count();
        format!("\t{member}{}", "}".repeat(open))
    };
    let members: Vec<String> = members.iter().map(closed).collect();
    format!("{{\n{}\n}}\n", members.join(",\n"))
}

/// One flush in MessagePack: an array per mode, one after the other.
pub(crate) fn msgpack(run: &Run) -> Vec<u8> {
    let (reads, writes) = (phases(run, "read"), phases(run, "write"));
    let mut out = Vec::new();
    for (mode, is_async, is_write, phases) in [
        ("read_async", true, false, &[][..]),
        ("read_sync", false, false, &reads),
        ("write_async", true, true, &[]),
        ("write_sync", false, true, &writes),
    ] {
        msgpack_mode(&mut out, run, (mode, is_async, is_write), phases);
    }
    array(&mut out, 19);
    text(&mut out, "io_time");
    let (reading, writing) = (time_in(&reads), time_in(&writes));
    let mut times = [0.0; 18];
    (times[0], times[1], times[2]) = (run.run_time_s, writing, reading);
    (times[9], times[17]) = (reading + writing, f64::NAN);
    times.iter().for_each(|&time| float(&mut out, time));
    out
}

fn msgpack_mode(out: &mut Vec<u8>, run: &Run, mode: (&str, bool, bool), phases: &[Row]) {
    let totals = Totals::of(run, phases);
    array(out, 14);
    text(out, mode.0);
    out.extend([mode.1, mode.2].map(|flag| if flag { 0xc3 } else { 0xc2 }));
    for number in [
        totals.bytes,
        totals.max_bytes_per_rank,
        totals.max_bytes_per_phase,
        totals.max_phases_per_rank as i64,
        totals.phases as i64,
        i64::from(totals.phases > 0),
        totals.max_phases_per_rank as i64,
        totals.phases as i64,
        totals.ranks as i64,
        run.job.nprocs,
    ] {
        integer(out, number);
    }
    array(out, phases.len() as u32);
    for row in phases {
        array(out, 9);
        integer(out, row.segment.length);
        float(out, row.segment.start);
        float(out, row.segment.end);
        integer(out, 0);
        float(out, rate(row));
        float(out, rate(row));
        [0, 0, 1]
            .into_iter()
            .for_each(|number| integer(out, number));
    }
}

fn array(out: &mut Vec<u8>, len: u32) {
    rmp::encode::write_array_len(out, len).expect("in memory");
}

fn text(out: &mut Vec<u8>, text: &str) {
    rmp::encode::write_str(out, text).expect("in memory");
}

fn integer(out: &mut Vec<u8>, number: i64) {
    rmp::encode::write_uint(out, number as u64).expect("in memory");
}

fn float(out: &mut Vec<u8>, number: f64) {
    rmp::encode::write_f64(out, number).expect("in memory");
}

/// What GekkoFS sends: a map with times in microseconds.
pub(crate) fn gekkofs_msgpack(run: &Run) -> Vec<u8> {
    let phases = phases(run, "write");
    let micros = |time: f64| (time * 1e6) as i64;
    let mut out = Vec::new();
    rmp::encode::write_map_len(&mut out, 9).expect("in memory");
    for (name, value) in [("flush_t", 100_000_000), ("pid", 34_250), ("total_iops", 2)] {
        text(&mut out, name);
        integer(&mut out, value);
    }
    for (name, value) in [("hostname", "nid00001"), ("io_type", "w")] {
        text(&mut out, name);
        text(&mut out, value);
    }
    for name in ["start_t_micro", "end_t_micro", "req_size"] {
        text(&mut out, name);
        array(&mut out, phases.len() as u32);
        for Row { segment, .. } in &phases {
            integer(
                &mut out,
                match name {
                    "start_t_micro" => micros(segment.start),
                    "end_t_micro" => micros(segment.end),
                    _ => segment.length,
                },
            );
        }
    }
    text(&mut out, "total_bytes");
    integer(&mut out, phases.iter().map(|row| row.segment.length).sum());
    out
}

/// A map of rates with their starts and ends, as sent over ZeroMQ.
pub(crate) fn ranks_msgpack() -> Vec<u8> {
    let mut out = Vec::new();
    rmp::encode::write_map_len(&mut out, 4).expect("in memory");
    text(&mut out, "ranks");
    integer(&mut out, 2);
    for (name, values) in [("b", [1e6, 2e6]), ("ts", [0.0, 1.0]), ("te", [0.5, 1.5])] {
        text(&mut out, name);
        array(&mut out, 2);
        values.into_iter().for_each(|value| float(&mut out, value));
    }
    out
}
