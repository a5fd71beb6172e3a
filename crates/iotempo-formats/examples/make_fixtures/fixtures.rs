//! Every file of `testdata/` with its bytes.

mod benchmarks;
mod corpus;
mod darshan_text;
mod hdf5;
mod heat3d;
mod iot;
#[path = "../../tests/support/iot_log.rs"]
mod iot_log;
mod joblogs;
mod legacy;
mod logs;
mod metrics;
mod monitors;
mod requests;
#[path = "../../tests/support/rng.rs"]
mod rng;
mod sqlite;
mod storage_logs;
mod tmio;
mod truth;

use heat3d::Heat3d;
use iotempo_formats::darshan::writer::WriteError;

/// A file's path below `testdata/`, and its bytes.
pub(crate) type Fixture = (String, Vec<u8>);

/// All fixtures, always the same.
pub(crate) fn all() -> Result<Vec<Fixture>, WriteError> {
    let demo = Heat3d::new(64, 10).run();
    let small = Heat3d::new(8, 10).run();
    let mut fixtures = vec![
        fixture("checkpoint.darshan", logs::everything(&demo).finish()?),
        fixture("checkpoint.truth.json", truth::json(&demo)),
        fixture(
            "checkpoint-counters.darshan",
            logs::counters(&demo).finish()?,
        ),
        fixture("checkpoint-heatmap.darshan", logs::heatmap(&demo).finish()?),
        fixture(
            "small/checkpoint.darshan",
            logs::everything(&small).finish()?,
        ),
        fixture("small/checkpoint.truth.json", truth::json(&small)),
        fixture(
            "small/heatmap-only.darshan",
            logs::heatmap_only(&small).finish()?,
        ),
        fixture(
            "small/legacy.darshan.gz",
            legacy::gzip(&legacy::LATEST.log(&small)),
        ),
        fixture("small/tmio.jsonl", tmio::json_lines(&small)),
        fixture("small/tmio.msgpack", tmio::msgpack(&small)),
        fixture("small/requests.csv", requests::csv(&small)),
        fixture("benchmarks.csv", benchmarks::of_heat3d()),
    ];
    fixtures.extend(corpus::all()?);
    Ok(fixtures)
}

fn fixture(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Fixture {
    (name.into(), bytes.into())
}
