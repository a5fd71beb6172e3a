//! When which layer read and wrote, in a few lines of a terminal.

use super::words::layer;
use iotempo_analysis::phases::IoPhase;
use iotempo_model::{Api, Op};
use iotempo_report::phases::Instants;
use std::collections::BTreeMap;

/// The widest that a bar gets; beyond, eyes lose the line.
const WIDEST: usize = 72;

/// Lines with a bar for each layer and direction, and a scale below them; none without phases.
pub(super) fn lines(
    phases: &[IoPhase],
    run_time_s: Option<f64>,
    columns: usize,
    ascii: bool,
) -> Vec<String> {
    let Some((from, to)) = extent(phases, run_time_s) else {
        return Vec::new();
    };
    let name = |api: Api, op: Op| format!("{} {op}", layer(api));
    let mut rows: BTreeMap<(Api, Op), Vec<&IoPhase>> = BTreeMap::new();
    for phase in phases {
        rows.entry((phase.api, phase.op)).or_default().push(phase);
    }
    let labels = rows.keys().map(|&(api, op)| name(api, op).len());
    let label = labels.max().unwrap_or(0);
    let width = columns.saturating_sub(label + 5).clamp(10, WIDEST);
    let (busy, idle) = if ascii { ('#', '.') } else { ('█', '·') };
    let mut lines: Vec<String> = rows
        .iter()
        .map(|(&(api, op), phases)| {
            let mut cells = vec![idle; width];
            let place = |time: f64| {
                let share = (time - from) / (to - from);
                ((share * width as f64) as usize).min(width - 1)
            };
            for phase in phases {
                cells[place(phase.start_s)..=place(phase.end_s)].fill(busy);
            }
            let bar: String = cells.into_iter().collect();
            format!("  {:<label$}  {bar}", name(api, op))
        })
        .collect();
    let instants = Instants::of(phases, run_time_s);
    let left = match from {
        0.0 => "0 s".to_owned(),
        from => instants.write(from),
    };
    let right = instants.write(to);
    let gap = width.saturating_sub(left.len() + right.len()).max(1);
    lines.push(format!(
        "  {:<label$}  {left}{}{right}",
        "",
        " ".repeat(gap)
    ));
    lines
}

/// The run, and all phases.
fn extent(phases: &[IoPhase], run_time_s: Option<f64>) -> Option<(f64, f64)> {
    let starts = phases.iter().map(|phase| phase.start_s);
    let ends = phases.iter().map(|phase| phase.end_s);
    let from = starts.fold(0.0, f64::min);
    let to = ends.fold(run_time_s.unwrap_or(0.0), f64::max);
    (!phases.is_empty() && to > from && (to - from).is_finite()).then_some((from, to))
}
