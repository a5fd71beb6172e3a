//! Answers that were recorded once, for logs that the pydarshan at hand may not be able to open.
//!
//! A log is put in the form of the recorded answers, and then compared key by key.

use iotempo_formats::darshan::{
    ApmpiTable, ApxcTable, CounterTable, DxtTable, HeatmapRecord, Log, LustreRecord, ModuleData,
    NameTable, Records,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Keys that tell of the layout of the file, of derived metrics, or of what nobody needs.
const OTHER_KEYS: [&str; 22] = [
    "file",
    "size",
    "sha256",
    "header_size",
    "header_slot",
    "job_region",
    "job_inflated",
    "name_region",
    "name_inflated",
    "name_streams",
    "partial_flag_raw",
    "libdarshan_defects",
    "offset",
    "length",
    "inflated",
    "streams",
    "record_size_on_disk",
    "derived",
    "derived_files",
    "legacy_shared_times",
    "LUSTRE_STRIPE_OFFSET",
    "first3",
];

/// The differences between a log and the answers recorded for it, and how many values were equal.
pub fn compare(log: &Log, recorded: &Value) -> (u64, Vec<String>) {
    let mut found = (0, Vec::new());
    diff("", recorded, &as_recorded(log), &mut found);
    for pair in recorded["names"]["first3"].as_array().expect("a list") {
        let id: u64 = text(&pair[0]).parse().expect("an id");
        diff("name", &pair[1], &json!(log.names.get(id)), &mut found);
    }
    found
}

fn diff(path: &str, theirs: &Value, ours: &Value, found: &mut (u64, Vec<String>)) {
    match (theirs, ours) {
        (Value::Object(theirs), Value::Object(ours)) => {
            for (key, value) in theirs
                .iter()
                .filter(|(key, _)| !OTHER_KEYS.contains(&key.as_str()))
            {
                diff(
                    &format!("{path}/{key}"),
                    value,
                    ours.get(key).unwrap_or(&Value::Null),
                    found,
                );
            }
        }
        (Value::Array(theirs), Value::Array(ours)) if theirs.len() == ours.len() => {
            for (index, (theirs, ours)) in theirs.iter().zip(ours).enumerate() {
                diff(&format!("{path}/{index}"), theirs, ours, found);
            }
        }
        _ if same(theirs, ours) => found.0 += 1,
        _ => found.1.push(format!("{path}: {ours} here, {theirs} there")),
    }
}

/// Ids are written as texts and as numbers. Floating-point numbers are not compared to the last bit,
/// because sums depend on their order and JSON is not read that well; those of pydarshan itself are.
fn same(theirs: &Value, ours: &Value) -> bool {
    match (theirs.as_f64(), ours.as_f64()) {
        (Some(one), Some(other)) if theirs.is_f64() || ours.is_f64() => {
            (one - other).abs() <= 1e-9 * one.abs()
        }
        _ => text(theirs) == text(ours),
    }
}

fn text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn as_recorded(log: &Log) -> Value {
    let modules: Map<_, _> = log
        .modules
        .iter()
        .map(|module| (module.name(), module_as_recorded(module, &log.names)))
        .collect();
    json!({
        "log_version": log.version,
        "endian": if log.big_endian { "big" } else { "little" },
        "compression": log.compression,
        "job": job(log),
        "names": { "count": log.names.len(), "duplicates": log.names.duplicates },
        "modules": modules,
    })
}

fn job(log: &Log) -> Value {
    let job = &log.job;
    let mut mounts: Vec<_> = job.mounts.iter().map(|m| (&m.point, &m.fs_type)).collect();
    mounts.sort_by_key(|(point, _)| std::cmp::Reverse(point.len()));
    mounts.truncate(3);
    let metadata: BTreeMap<_, _> = job.metadata.iter().cloned().collect();
    json!({
        "uid": job.uid, "jobid": job.jobid, "nprocs": job.nprocs,
        "start_time_sec": job.start_s, "start_time_nsec": job.start_ns,
        "end_time_sec": job.end_s, "end_time_nsec": job.end_ns,
        "run_time": job.run_time_s, "exe": job.exe, "metadata": metadata,
        "n_mounts": job.mounts.len(), "mounts_first3_longest_first": mounts,
    })
}

fn module_as_recorded(module: &ModuleData, names: &NameTable) -> Value {
    let mut value = match &module.records {
        Records::Counters(table) => counters(table, names),
        Records::Dxt(table) => dxt(table),
        Records::Heatmap(records) => heatmap(records, names),
        Records::Lustre(records) => lustre(records),
        Records::Apmpi(table) => apmpi(table),
        Records::Apxc(table) => apxc(table),
        Records::Mdhim(_) | Records::Unreadable => json!({}),
    };
    value["id"] = json!(module.id);
    value["version"] = json!(module.version);
    value["partial"] = json!(module.partial);
    value
}

fn counters(table: &CounterTable, names: &NameTable) -> Value {
    let sum = |values: &[i64]| {
        values
            .iter()
            .fold(0_u64, |sum, &value| sum.wrapping_add(value as u64))
    };
    let mut value = json!({
        "records": table.len(),
        "shared_records_rank_-1": table.ranks.iter().filter(|&&rank| rank == -1).count(),
        "sum_all_int_counters_mod_2^64": sum(&table.ints),
        "sum_all_float_counters": table.floats.iter().sum::<f64>(),
        "first_record": record(table, 0, names),
        "last_record": record(table, table.len() - 1, names),
    });
    for (at, name) in table.layout.ints.iter().enumerate() {
        let column: Vec<_> = (0..table.len()).map(|row| table.ints_of(row)[at]).collect();
        value[format!("sum_{name}")] = json!(sum(&column) as i64);
    }
    value
}

fn record(table: &CounterTable, row: usize, names: &NameTable) -> Value {
    let named = |names: &[String], values: Vec<Value>| {
        names.iter().cloned().zip(values).collect::<Map<_, _>>()
    };
    let ints = table
        .ints_of(row)
        .iter()
        .map(|value| json!(value))
        .collect();
    let floats = table
        .floats_of(row)
        .iter()
        .map(|value| json!(value))
        .collect();
    let mut value = json!({
        "id": table.ids[row], "rank": table.ranks[row], "name": names.get(table.ids[row]),
        "counters": named(&table.layout.ints, ints),
        "fcounters": named(&table.layout.floats, floats),
        "file_rec_id": table.file_ids.get(row),
    });
    if let Some(object) = table.objects.get(row) {
        value["pool_uuid_hex"] = json!(format!("{:032x}", u128::from_be_bytes(object.pool)));
        value["cont_uuid_hex"] = json!(format!("{:032x}", u128::from_be_bytes(object.container)));
        value["oid_hi"] = json!(object.oid.0);
        value["oid_lo"] = json!(object.oid.1);
    }
    value
}

fn dxt(table: &DxtTable) -> Value {
    let segment = |at: usize| {
        json!([
            table.offsets[at],
            table.lengths[at],
            table.starts[at],
            table.ends[at]
        ])
    };
    let record = |index: usize| {
        let record = &table.records[index];
        let count = (record.writes + record.reads) as usize;
        json!({
            "id": record.id, "rank": record.rank, "hostname": record.hostname,
            "write_count": record.writes, "read_count": record.reads,
            "first_segment": segment(record.first),
            "last_segment": segment(record.first + count - 1),
        })
    };
    json!({
        "records": table.records.len(),
        "write_segments": table.records.iter().map(|record| record.writes).sum::<u64>(),
        "read_segments": table.records.iter().map(|record| record.reads).sum::<u64>(),
        "sum_length": table.lengths.iter().sum::<i64>(),
        "min_start": table.starts.iter().copied().fold(f64::INFINITY, f64::min),
        "max_end": table.ends.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        "first_record": record(0),
        "last_record": record(table.records.len() - 1),
    })
}

fn heatmap(records: &[HeatmapRecord], names: &NameTable) -> Value {
    let mut layers: BTreeMap<u64, Vec<&HeatmapRecord>> = BTreeMap::new();
    for record in records {
        layers.entry(record.id).or_default().push(record);
    }
    let layers: Map<_, _> = layers
        .iter()
        .map(|(&id, records)| (names.label(id), layer(records)))
        .collect();
    let first = &records[0];
    json!({
        "records": records.len(),
        "heatmaps": layers,
        "first_record": {
            "id": first.id, "rank": first.rank, "nbins": first.writes.len(),
            "bin_width": first.bin_width_s,
            "write_bins": first.writes, "read_bins": first.reads,
        },
    })
}

fn layer(records: &[&HeatmapRecord]) -> Value {
    let bins = records[0].writes.len();
    let total = |bins_of: fn(&HeatmapRecord) -> &[i64]| -> Vec<i64> {
        let bin = |at: usize| records.iter().map(|record| bins_of(record)[at]).sum();
        (0..bins).map(bin).collect()
    };
    let (writes, reads) = (
        total(|record| &record.writes),
        total(|record| &record.reads),
    );
    json!({
        "ranks": records.len(), "nbins": bins, "bin_width": records[0].bin_width_s,
        "write_sum": writes.iter().sum::<i64>(), "read_sum": reads.iter().sum::<i64>(),
        "agg_write": writes, "agg_read": reads,
    })
}

fn lustre(records: &[LustreRecord]) -> Value {
    json!({
        "records": records.len(),
        "total_osts": records.iter().map(|record| record.osts.len()).sum::<usize>(),
        "first_record": stripes(&records[0]),
        "last_record": stripes(&records[records.len() - 1]),
    })
}

fn stripes(record: &LustreRecord) -> Value {
    let mut osts = record.osts.iter();
    let mut components = Vec::new();
    for c in &record.components {
        let own: Vec<_> = osts.by_ref().take(c.stripe_count as usize).collect();
        let first = [c.stripe_size, c.stripe_count, c.stripe_pattern, c.flags];
        let rest = [c.ext_start, c.ext_end, c.mirror_id];
        let counters = [&first[..], &rest].concat();
        components.push(json!({ "counters": counters, "pool": c.pool_name, "osts": own }));
    }
    let (osts, mdts) = record.targets.unzip();
    json!({
        "id": record.id, "rank": record.rank,
        "nc": record.components.len(), "ns": record.osts.len(),
        "v1": {
            "LUSTRE_OSTS": osts, "LUSTRE_MDTS": mdts,
            "LUSTRE_STRIPE_SIZE": record.components.first().map(|c| c.stripe_size),
            "LUSTRE_STRIPE_WIDTH": record.osts.len(),
        },
        "comps": components,
    })
}

fn apmpi(apmpi: &ApmpiTable) -> Value {
    let header = apmpi.header.as_ref().expect("a header");
    let mut first = json!({
        "id": apmpi.table.ids[0], "rank": apmpi.table.ranks[0], "node": apmpi.nodes[0],
    });
    for (name, value) in apmpi.table.layout.ints.iter().zip(apmpi.table.ints_of(0)) {
        first[name] = json!(value);
    }
    for (name, value) in apmpi
        .table
        .layout
        .floats
        .iter()
        .zip(apmpi.table.floats_of(0))
    {
        first[name] = json!(value);
    }
    json!({
        "records": 1 + apmpi.table.len(),
        "header": {
            "id": header.id, "rank": header.rank, "magic": header.magic, "sync": header.sync_flag,
            "var_time": header.variance_total_mpitime,
            "var_sync": header.variance_total_mpisynctime,
        },
        "first_perf_record_nonzero": first,
    })
}

fn apxc(apxc: &ApxcTable) -> Value {
    let header = apxc.header.expect("a header").map(|word| word as u64);
    json!({
        "records": 1 + apxc.table.len(),
        "header_words": header,
        "first_perf_record_first5": apxc.table.ints_of(0)[..5],
    })
}
