//! Columns `queue` that hold how long jobs waited, as logs of Helios have them, where others name the queue itself.

use super::JobOptions;
use super::draft::Draft;
use super::heading::{Heading, split};
use super::role::Role;
use super::text::lines;
use super::times::Times;
use super::values::number;

/// By how much a time may be off that others counted and rounded.
const ROUNDED_S: f64 = 1.0;

/// Queues may be numbers, too, and some jobs wait for as many seconds: this part of all must agree.
const MOST: f64 = 0.95;

/// Whether the first rows of a table say so.
pub(super) fn holds_waits(heading: &Heading, head: &[u8], options: &JobOptions) -> bool {
    let is_queue = |(_, role): &(usize, Role)| *role == Role::Partition;
    let named = options
        .columns
        .iter()
        .any(|(ours, _)| ours == Role::Partition.name());
    if named || !heading.roles.iter().any(is_queue) {
        return false;
    }
    let mut draft = Draft::default();
    let mut times = Times::new(options);
    let (mut compared, mut agree, mut moved) = (0_u32, 0_u32, false);
    let rows = lines(head).filter(|line| !line.starts_with(b"#"));
    for line in rows.skip(usize::from(heading.has_names)) {
        let line = String::from_utf8_lossy(line);
        let fields = split(&line, &heading.delimiter, heading.quotes);
        if fields.len() != heading.width + usize::from(heading.trailing) {
            continue;
        }
        draft.clear();
        for (column, role) in &heading.roles {
            draft.set(*role, &fields[*column]);
        }
        let Ok(job) = draft.finish(heading.dialect, &mut times) else {
            continue;
        };
        let Some(queue) = job.partition.as_deref() else {
            continue;
        };
        let Some(queue) = number(queue) else {
            return false;
        };
        if let Some(wait) = job.wait_time_s() {
            compared += 1;
            let same = (queue - wait).abs() <= ROUNDED_S;
            agree += u32::from(same);
            moved |= same && queue > 0.0;
        }
    }
    compared > 1 && moved && f64::from(agree) >= MOST * f64::from(compared)
}
