//! What is known about a run, for those who want to know how close an analysis comes.

use super::heat3d::{PERIOD_S, Run};
use iotempo_formats::darshan::Module;
use serde_json::{Value, json};

pub(crate) fn json(run: &Run) -> Vec<u8> {
    let checkpoints: Vec<Value> = run
        .checkpoints
        .iter()
        .map(|one| {
            json!({
                "file": one.file,
                "start_s": one.start_s,
                "end_s": one.end_s,
                "bytes": one.bytes,
            })
        })
        .collect();
    let starts: Vec<f64> = run.checkpoints.iter().map(|one| one.start_s).collect();
    let gaps = (starts.len() - 1) as f64;
    let truth = json!({
        "ranks": run.job.nprocs,
        "run_time_s": run.run_time_s,
        "period_s": PERIOD_S,
        "mean_gap_s": (starts[starts.len() - 1] - starts[0]) / gaps,
        "bytes": {
            "posix": bytes(run, Module::Posix, "POSIX"),
            "mpiio": bytes(run, Module::MpiIo, "MPIIO"),
            "stdio": bytes(run, Module::Stdio, "STDIO"),
        },
        "checkpoints": checkpoints,
    });
    format!("{truth:#}\n").into_bytes()
}

fn bytes(run: &Run, module: Module, prefix: &str) -> Value {
    let records = run.runtime.counters();
    let of_module = || records.iter().filter(|record| record.module == module);
    let sum = |done: &str| -> i64 {
        let name = format!("{prefix}_BYTES_{done}");
        of_module().filter_map(|record| record.int(&name)).sum()
    };
    json!({ "read": sum("READ"), "written": sum("WRITTEN") })
}
