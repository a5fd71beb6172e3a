//! The MPI-IO requests of a run as a table.

use super::heat3d::Run;
use iotempo_formats::darshan::{Module, Segment};

/// One request.
pub(crate) struct Row {
    pub(crate) rank: i64,
    pub(crate) op: &'static str,
    pub(crate) file: String,
    pub(crate) segment: Segment,
}

/// The MPI-IO requests, in the order of their starts.
pub(crate) fn rows(run: &Run) -> Vec<Row> {
    let mut rows = Vec::new();
    for dxt in run.runtime.dxt() {
        if dxt.module != Module::DxtMpiio {
            continue;
        }
        for (op, segments) in [("write", &dxt.writes), ("read", &dxt.reads)] {
            rows.extend(segments.iter().map(|segment| Row {
                rank: dxt.rank,
                op,
                file: dxt.name.clone().unwrap_or_default(),
                segment: *segment,
            }));
        }
    }
    rows.sort_by(|a, b| {
        let by_start = a.segment.start.total_cmp(&b.segment.start);
        by_start.then(a.rank.cmp(&b.rank))
    });
    rows
}

pub(crate) fn csv(run: &Run) -> String {
    let mut table = "rank,op,api,file,start_s,end_s,bytes\n".to_owned();
    for Row {
        rank,
        op,
        file,
        segment,
    } in rows(run)
    {
        let (start, end, bytes) = (segment.start, segment.end, segment.length);
        table += &format!("{rank},{op},mpiio,{file},{start},{end},{bytes}\n");
    }
    table
}
