//! What Darshan's tools print of a run.

use super::heat3d::Run;
use iotempo_formats::darshan::writer::CounterRecord;
use iotempo_formats::darshan::{HeatmapRecord, JobRecord, Layout, Module, Segment};

/// The lines that both tools print first.
fn preamble(job: &JobRecord) -> String {
    let mut text = format!(
        "# darshan log version: 3.41\n\
         # compression method: ZLIB\n\
         # exe: {}\n# uid: {}\n# jobid: {}\n\
         # start_time: {}\n# start_time_asci: Sun Jun 15 15:06:40 2025\n\
         # end_time: {}\n# end_time_asci: Sun Jun 15 15:08:18 2025\n\
         # nprocs: {}\n# run time: {:.4}\n",
        job.exe,
        job.uid,
        job.jobid,
        job.start_s,
        job.end_s,
        job.nprocs,
        (job.end_s - job.start_s) as f64 + (job.end_ns - job.start_ns) as f64 / 1e9,
    );
    for (key, value) in &job.metadata {
        text += &format!("# metadata: {key} = {value}\n");
    }
    text += "\n# log file regions\n\
             # -------------------------------------------------------\n\
             # header: 1328 bytes (uncompressed)\n\
             # POSIX module: 900 bytes (compressed), ver=4\n\n\
             # mounted file systems (mount point and fs type)\n\
             # -------------------------------------------------------\n";
    for mount in &job.mounts {
        text += &format!("# mount entry:\t{}\t{}\n", mount.point, mount.fs_type);
    }
    text
}

/// The mount point and file system of a file, as the tools print them.
fn mount_of(job: &JobRecord, file: &str) -> (String, String) {
    job.mounts
        .iter()
        .find(|mount| file.starts_with(&mount.point))
        .map_or(("UNKNOWN".to_owned(), "UNKNOWN".to_owned()), |mount| {
            (mount.point.clone(), mount.fs_type.clone())
        })
}

/// Some records as `darshan-parser` prints them.
pub(crate) fn parser(run: &Run, records: &[CounterRecord], heatmaps: &[HeatmapRecord]) -> String {
    let mut text = preamble(&run.job);
    let mut module = None;
    for record in records {
        if module.replace(record.module) != Some(record.module) {
            text += &heading(record.module);
        }
        let layout = Layout::latest(record.module).expect("a layout");
        let name = record.name.clone().unwrap_or_default();
        let (point, fs_type) = mount_of(&run.job, &name);
        let mut line = |counter: &str, value: String| {
            let (module, rank, id) = (record.module, record.rank, record.id);
            text += &format!(
                "{module}\t{rank}\t{id}\t{counter}\t{value}\t{name}\t{point}\t{fs_type}\n"
            );
        };
        for counter in &layout.ints {
            line(counter, record.int(counter).unwrap_or(0).to_string());
        }
        for counter in &layout.floats {
            let value = record.float_value(counter).unwrap_or(0.0);
            line(counter, format!("{value:.6}"));
        }
    }
    text += &heatmap_lines(heatmaps);
    text
}

fn heading(module: Module) -> String {
    let rule = "# *******************************************************";
    format!(
        "\n{rule}\n# {module} module data\n{rule}\n\n\
         #<module>\t<rank>\t<record id>\t<counter>\t<value>\t<file name>\t<mount pt>\t<fs type>\n"
    )
}

fn heatmap_lines(heatmaps: &[HeatmapRecord]) -> String {
    let mut text = heading(Module::Heatmap);
    for record in heatmaps {
        let head = format!("HEATMAP\t{}\t{}", record.rank, record.id);
        let tail = "heatmap:POSIX\tUNKNOWN\tUNKNOWN";
        let width = record.bin_width_s;
        text += &format!("{head}\tHEATMAP_F_BIN_WIDTH_SECONDS\t{width:.6}\t{tail}\n");
        for (op, bins) in [("READ", &record.reads), ("WRITE", &record.writes)] {
            for (at, bytes) in bins.iter().enumerate() {
                text += &format!("{head}\tHEATMAP_{op}_BIN_{at}\t{bytes}\t{tail}\n");
            }
        }
    }
    text
}

/// The requests as `darshan-dxt-parser` prints them.
pub(crate) fn dxt_parser(run: &Run) -> String {
    let rule = "# ***************************************************";
    let mut text = preamble(&run.job);
    let mut module = None;
    for dxt in run.runtime.dxt() {
        if module.replace(dxt.module) != Some(dxt.module) {
            text += &format!("\n{rule}\n# {} module data\n{rule}\n", dxt.module);
        }
        let (id, name) = (dxt.id, dxt.name.unwrap_or_default());
        let (point, fs_type) = mount_of(&run.job, &name);
        text += &format!(
            "\n# DXT, file_id: {id}, file_name: {name}\n\
             # DXT, rank: {}, hostname: {}\n\
             # DXT, write_count: {}, read_count: {}\n\
             # DXT, mnt_pt: {point}, fs_type: {fs_type}\n\
             # Module    Rank  Wt/Rd  Segment          Offset       Length    Start(s)      End(s)\n",
            dxt.rank,
            dxt.hostname,
            dxt.writes.len(),
            dxt.reads.len(),
        );
        let layer = if dxt.module == Module::DxtMpiio {
            "X_MPIIO"
        } else {
            "X_POSIX"
        };
        for (op, segments) in [("write", &dxt.writes), ("read", &dxt.reads)] {
            for (at, segment) in segments.iter().enumerate() {
                text += &dxt_line(layer, dxt.rank, op, at, segment);
            }
        }
    }
    text
}

fn dxt_line(layer: &str, rank: i64, op: &str, at: usize, segment: &Segment) -> String {
    let Segment {
        offset,
        length,
        start,
        end,
        ..
    } = segment;
    format!("{layer:>8}{rank:>8}{op:>7}{at:>9}{offset:>16}{length:>16}{start:>12.4}{end:>12.4}\n")
}
