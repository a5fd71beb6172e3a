//! Small inputs of every reader, for mutation and fuzzing.

use super::heat3d::{Heat3d, Run};
use super::{Fixture, darshan_text, fixture, joblogs, legacy, logs, metrics, requests, tmio};
use iotempo_formats::darshan::writer::{
    CounterRecord, DxtRun, LogWriter, Record, WriteError, module_version, record_id,
};
use iotempo_formats::darshan::{
    ApmpiHeader, ByteOrder, Compression, Layout, LogVersion, LustreComponent, LustreRecord,
    MdhimRecord, Module, Segment,
};

/// The corpora of all readers.
pub(crate) fn all() -> Result<Vec<Fixture>, WriteError> {
    let mini = Heat3d::new(2, 2).run();
    let mut files = darshan(&mini)?;
    files.extend(darshan_legacy(&mini));
    files.extend(texts(&mini));
    files.extend(structured(&mini));
    files.extend(joblogs::all());
    files.extend(super::benchmarks::all());
    files.extend(super::storage_logs::corpora());
    files.push(fixture("iot/run.iot", super::iot::log()));
    files.extend(metrics::all());
    files.extend(super::monitors::all());
    for (name, _) in &mut files {
        name.insert_str(0, "corpus/");
    }
    Ok(files)
}

/// All modules in all log versions, byte orders and compressions, and two whole runs.
fn darshan(mini: &Run) -> Result<Vec<Fixture>, WriteError> {
    let mut files = vec![
        fixture("darshan/run.darshan", logs::everything(mini).finish()?),
        fixture(
            "darshan/run-converted.darshan",
            logs::everything(mini)
                .one_stream_per_region()
                .compression(Compression::Bzip2)
                .finish()?,
        ),
    ];
    let of_big_endian = [
        Compression::None,
        Compression::Bzip2,
        Compression::None,
        Compression::Zlib,
        Compression::Bzip2,
    ];
    for (log, of_big_endian) in LogVersion::ALL.into_iter().zip(of_big_endian) {
        for (order, name, compression) in [
            (ByteOrder::Little, "le", Compression::Zlib),
            (ByteOrder::Big, "be", of_big_endian),
        ] {
            let writer = LogWriter::new(log)
                .byte_order(order)
                .compression(compression)
                .job(mini.job.clone())
                .partial(Module::Posix)
                .records(one_of_each(log));
            let name = format!(
                "darshan/{}-{name}-{}.darshan",
                log.name(),
                compression.name()
            );
            files.push(fixture(name, writer.finish()?));
        }
    }
    Ok(files)
}

/// Two ranks' records of every module that the log version carries.
fn one_of_each(log: LogVersion) -> Vec<Record> {
    let carried = |module: &Module| module_version(log, *module).is_some();
    Module::ALL
        .into_iter()
        .filter(carried)
        .flat_map(|module| match module {
            Module::DxtPosix | Module::DxtMpiio => vec![dxt(module, 0), dxt(module, 1)],
            Module::Heatmap => vec![heatmap(0), heatmap(1)],
            Module::Lustre => vec![lustre(log)],
            Module::Mdhim => vec![mdhim()],
            Module::Apmpi => vec![apmpi_header(), counters(log, module, 0)],
            Module::Apxc => vec![
                Record::ApxcHeader([1, 0, 0x4155_544f, 1, 1, 1, 1, 1, 1]),
                counters(log, module, 0),
            ],
            _ => vec![counters(log, module, -1), counters(log, module, 1)],
        })
        .collect()
}

/// Mostly zeros, so that the files stay small.
fn counters(log: LogVersion, module: Module, rank: i64) -> Record {
    let version = module_version(log, module).expect("carried");
    let layout = Layout::of(module, version).expect("a layout");
    let mut record = CounterRecord::new(module, &format!("/scratch/{rank}")).rank(rank);
    for (at, name) in (1..).zip(layout.ints.iter().step_by(7)) {
        record.set(name, at * 1000 + rank);
    }
    for (at, name) in (1..).zip(layout.floats.iter().step_by(3)) {
        record.set_float(name, f64::from(at) * 0.5);
    }
    record.into()
}

fn dxt(module: Module, rank: i64) -> Record {
    let segment = |at: i64| {
        let start = at as f64;
        Segment::new(at * 4096, 4096, start, start + 0.25)
    };
    let run = DxtRun {
        writes: (0..4).map(segment).collect(),
        reads: (4..6).map(segment).collect(),
        ..DxtRun::new(module, "/scratch/0", rank, "nid00001")
    };
    run.into()
}

fn heatmap(rank: i64) -> Record {
    let record = iotempo_formats::darshan::HeatmapRecord {
        id: record_id("heatmap:POSIX"),
        rank,
        bin_width_s: 0.1,
        writes: vec![4096, 0, 0, 4096],
        reads: vec![0, 512, 0, 0],
    };
    record.into()
}

fn lustre(log: LogVersion) -> Record {
    let component = |pool_name: &str, stripe_count| LustreComponent {
        stripe_size: 1 << 20,
        stripe_count,
        stripe_pattern: 0,
        flags: 16,
        ext_start: 0,
        ext_end: -1,
        mirror_id: 0,
        pool_name: pool_name.to_owned(),
    };
    let components = match module_version(log, Module::Lustre) {
        Some(1) => vec![component("", 3)],
        _ => vec![component("flash", 1), component("a pool of 16 b.", 2)],
    };
    let record = LustreRecord {
        id: record_id("/scratch/0"),
        rank: -1,
        components,
        osts: vec![3, 1, 2],
        targets: Some((12, 2)),
    };
    record.into()
}

fn mdhim() -> Record {
    let record = MdhimRecord {
        id: 5,
        rank: 0,
        ints: vec![1, 2, 3, 4, 2],
        floats: vec![0.5; 4],
        histogram: vec![7, 8],
    };
    record.into()
}

fn apmpi_header() -> Record {
    Record::ApmpiHeader(ApmpiHeader {
        id: record_id("darshan-apmpi-header"),
        rank: 0,
        magic: 0x41_504D_5049,
        sync_flag: 1,
        variance_total_mpitime: 0.5,
        variance_total_mpisynctime: 0.25,
    })
}

fn darshan_legacy(mini: &Run) -> Vec<Fixture> {
    let [latest, big, first] =
        [legacy::LATEST, legacy::BIG_ENDIAN, legacy::FIRST].map(|version| version.log(mini));
    vec![
        fixture("darshan_legacy/2.06.gz", legacy::gzip(&latest)),
        fixture("darshan_legacy/2.02-be.gz", legacy::gzip(&big)),
        fixture("darshan_legacy/2.02-be", big),
        fixture("darshan_legacy/1.24.gz", legacy::gzip(&first)),
    ]
}

fn texts(mini: &Run) -> Vec<Fixture> {
    let records = mini.runtime.counters();
    let last_of = |module: Module| {
        let of_module = records.iter().filter(|record| record.module == module);
        of_module.rev().take(1).cloned().collect::<Vec<_>>()
    };
    let parser = |module| darshan_text::parser(mini, &last_of(module), &[]);
    let mut heatmaps = mini.runtime.heatmaps(2.0);
    heatmaps.truncate(1);
    vec![
        fixture("darshan_text/posix.txt", parser(Module::Posix)),
        fixture("darshan_text/mpiio.txt", parser(Module::MpiIo)),
        fixture("darshan_text/stdio.txt", parser(Module::Stdio)),
        fixture(
            "darshan_text/heatmap.txt",
            darshan_text::parser(mini, &[], &heatmaps),
        ),
        fixture("dxt_text/run.txt", darshan_text::dxt_parser(mini)),
        fixture("ftio_text/gekkofs.txt", FTIO_TEXT),
        fixture("table/requests.csv", requests::csv(mini)),
        fixture(
            "table/samples.csv",
            "time,bandwidth\n0,0\n1,1048576\n2,0\n3,1048576\n",
        ),
        fixture(
            "table/samples.tsv",
            "# host nid00001\nt\tread\twrite\n0.5\t0\t9\n1.5\t4\t0\n",
        ),
        fixture(
            "table/quoted.csv",
            "\"start\";\"end\";\"bytes\"\n0,5;\"1,5\";1024\n2;3;2048\n",
        ),
        fixture("table/requests.jsonl", JSON_REQUESTS),
    ]
}

const FTIO_TEXT: &str = "avg_thruput_mib: [0.0,0.0,1000.0,1000.0,0.0]\n\
    start_t_micro: [0500,0000,10500,10000,20500]\n\
    end_t_micro: [5000,4500,15000,14500,25000]\n\
    hostname: \"nid00001\"\npid: 2063\ntotal_bytes: 15000\ntotal_iops: 1024\n";

const JSON_REQUESTS: &str = "{\"rank\":0,\"op\":\"write\",\"start\":0.5,\"end\":1.5,\"bytes\":4096}\n\
    {\"rank\":1,\"op\":\"read\",\"start\":0.25,\"end\":1,\"bytes\":512,\"file\":\"/a\"}\n";

fn structured(mini: &Run) -> Vec<Fixture> {
    vec![
        fixture("json/tmio.jsonl", tmio::json_lines(mini)),
        fixture("json/tmio.json", tmio::json(mini)),
        fixture("json/ranks.json", FTIO_RANKS),
        fixture("json/application.json", FTIO_APPLICATION),
        fixture(
            "json/minimal.json",
            "{\"b\":[0,5,0,5],\"t\":[0.0,1.0,2.0,3.0]}\n",
        ),
        fixture("json/gekkofs.json", GEKKOFS),
        fixture("msgpack/tmio.msgpack", tmio::msgpack(mini)),
        fixture("msgpack/gekkofs.msgpack", tmio::gekkofs_msgpack(mini)),
        fixture("msgpack/ranks.msgpack", tmio::ranks_msgpack()),
    ]
}

const FTIO_RANKS: &str = "{\"read_sync\":{\"number_of_ranks\":2,\"bandwidth\":\
    {\"b_rank_avr\":[1e6,2e6],\"t_rank_s\":[0.0,1.0],\"t_rank_e\":[0.5,1.5]}},\
    \"write_sync\":{\"total_bytes\":3e6,\"number_of_ranks\":2,\"bandwidth\":\
    {\"b_rank_avr\":[1e6,null],\"t_rank_s\":[0.0,1.0],\"t_rank_e\":[0.5,NaN]}}}\n";

const FTIO_APPLICATION: &str = "{\"write_sync\":{\"number_of_ranks\":2,\"bandwidth\":\
    {\"b_overlap_avr\":[1e6,0.0,2e6,0.0],\"t_overlap\":[0.0,1.0,10.0,11.0]}}}\n";

const GEKKOFS: &str = "{\n\"avg_thruput_mib\": [0.06,84.12],\n\"end_t_micro\": [65708451,65709898],\n\
    \"hostname\": \"nid00001\",\n\"io_type\": \"w\",\n\"pid\": 34250,\n\
    \"req_size\": [4096,524288],\n\"start_t_micro\": [65642349,65703954],\n\
    \"total_bytes\": 528384,\n\"total_iops\": 2\n}\n";
