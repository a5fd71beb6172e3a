#![allow(clippy::unwrap_used)]

use super::*;
use crate::darshan::layout::Layout;
use crate::darshan::log::{CounterTable, HeatmapRecord, LustreRecord, MdhimRecord};

const HEADING: &str = "# darshan log version: 3.41\n# nprocs: 4\n";

fn read(text: &str) -> Log {
    read_parser_text(text.as_bytes(), &Limits::default()).unwrap()
}

/// Lines of a record with the given counters.
fn lines(module: &str, rank: i64, id: u64, counters: &[(&str, &str)]) -> String {
    let line = |(counter, value): &(&str, &str)| {
        format!("{module}\t{rank}\t{id}\t{counter}\t{value}\t/file {id}\t/\txfs\n")
    };
    counters.iter().map(line).collect()
}

/// A whole record: counter `k` is `k`, floating-point counter `k` is `k` and a half.
fn record(module: Module, version: u32, rank: i64, id: u64) -> String {
    let layout = Layout::of(module, version).unwrap();
    let ints = layout
        .ints
        .iter()
        .enumerate()
        .map(|(k, name)| (name, k.to_string()));
    let floats = layout
        .floats
        .iter()
        .enumerate()
        .map(|(k, name)| (name, format!("{k}.500000")));
    let counters: Vec<_> = ints.chain(floats).collect();
    let counters: Vec<_> = counters
        .iter()
        .map(|(name, value)| (&***name, &**value))
        .collect();
    lines(module.name(), rank, id, &counters)
}

fn table(log: &Log, module: Module) -> &CounterTable {
    log.counters(module).unwrap()
}

fn int(log: &Log, module: Module, name: &str) -> i64 {
    table(log, module).ints_of(0)[table(log, module).layout.int(name).unwrap()]
}

fn float(log: &Log, module: Module, name: &str) -> f64 {
    table(log, module).floats_of(0)[table(log, module).layout.float(name).unwrap()]
}

fn damage(log: &Log) -> Option<&str> {
    log.modules
        .iter()
        .find_map(|module| Some(&*module.damage.as_ref()?.message))
}

fn codes(log: &Log) -> Vec<&str> {
    log.warnings.iter().map(|warning| &*warning.code).collect()
}

#[test]
fn records_of_the_newest_version_are_read_as_they_are() {
    for module in [
        Module::Posix,
        Module::MpiIo,
        Module::Stdio,
        Module::H5f,
        Module::H5d,
        Module::PnetcdfFile,
        Module::PnetcdfVar,
        Module::BgQ,
        Module::Dfs,
        Module::Daos,
    ] {
        let version = crate::darshan::latest_version(module).unwrap();
        let text = [
            record(module, version, -1, 5),
            record(module, version, 3, 6),
        ]
        .concat();
        let log = read(&format!(
            "{HEADING}# {module} module: 1 bytes (compressed), ver=1\n{text}"
        ));
        let table = table(&log, module);
        assert_eq!(
            (&*table.ids, &*table.ranks),
            (&[5, 6][..], &[-1, 3][..]),
            "{module}"
        );
        let layout = table.layout;
        let ints: Vec<i64> = (0..layout.ints.len() as i64).collect();
        let floats: Vec<f64> = (0..layout.floats.len()).map(|k| k as f64 + 0.5).collect();
        for row in 0..2 {
            assert_eq!(
                (table.ints_of(row), table.floats_of(row)),
                (&*ints, &*floats),
                "{module}"
            );
        }
        assert_eq!(log.modules[0].version, 1);
        assert_eq!((damage(&log), codes(&log)), (None, vec!["text-rounding"]));
    }
}

#[test]
fn old_versions_become_the_newest() {
    let posix = read(&[HEADING, &record(Module::Posix, 1, 0, 5)].concat());
    let old = Layout::of(Module::Posix, 1).unwrap();
    let was = |name: &str| old.int(name).unwrap() as i64;
    assert_eq!(
        int(&posix, Module::Posix, "POSIX_BYTES_READ"),
        was("POSIX_BYTES_READ")
    );
    assert_eq!(int(&posix, Module::Posix, "POSIX_DUPS"), -1);
    assert_eq!(int(&posix, Module::Posix, "POSIX_RENAMED_FROM"), 0);
    assert_eq!(
        float(&posix, Module::Posix, "POSIX_F_OPEN_START_TIMESTAMP"),
        0.5
    );
    assert_eq!(
        float(&posix, Module::Posix, "POSIX_F_CLOSE_END_TIMESTAMP"),
        5.5
    );
    assert_eq!(
        float(&posix, Module::Posix, "POSIX_F_OPEN_END_TIMESTAMP"),
        -1.0
    );
    assert_eq!(
        (damage(&posix), codes(&posix)),
        (None, vec!["text-rounding"])
    );

    let mpiio = read(&[HEADING, &record(Module::MpiIo, 1, 0, 5)].concat());
    assert_eq!(
        float(&mpiio, Module::MpiIo, "MPIIO_F_CLOSE_END_TIMESTAMP"),
        5.5
    );

    let hdf5 = record(Module::H5f, 1, 0, 5).replace("H5F\t", "HDF5\t");
    let hdf5 = read(&[HEADING, &hdf5].concat());
    assert_eq!(int(&hdf5, Module::H5f, "H5F_FLUSHES"), -1);
    assert_eq!(float(&hdf5, Module::H5f, "H5F_F_CLOSE_END_TIMESTAMP"), 1.5);
    assert_eq!(float(&hdf5, Module::H5f, "H5F_F_META_TIME"), -1.0);

    let netcdf = record(Module::PnetcdfFile, 2, 0, 5)
        .replace("PNETCDF_FILE\t", "PNETCDF\t")
        .replace("INDEP_OPENS\t0", "INDEP_OPENS\t7");
    let netcdf = read(&[HEADING, &netcdf].concat());
    assert_eq!(int(&netcdf, Module::PnetcdfFile, "PNETCDF_FILE_OPENS"), 8);
    assert_eq!(
        int(&netcdf, Module::PnetcdfFile, "PNETCDF_FILE_CREATES"),
        -1
    );
    assert_eq!(
        float(
            &netcdf,
            Module::PnetcdfFile,
            "PNETCDF_FILE_F_CLOSE_END_TIMESTAMP"
        ),
        3.5
    );
    assert_eq!(
        (damage(&netcdf), codes(&netcdf)),
        (None, vec!["text-rounding"])
    );
}

#[test]
fn logs_before_3_0_have_no_module_column() {
    let layout = Layout::latest(Module::Cp).unwrap();
    let line =
        |name: &String, value: &str| format!("-1\t77\t{name}\t{value}\t...a.dat\t/home\tnfs\n");
    let ints: String = layout.ints.iter().map(|name| line(name, "3")).collect();
    let floats: String = layout
        .floats
        .iter()
        .map(|name| line(name, "0.250000"))
        .collect();
    let log = read(&format!(
        "# darshan log version: 2.06\n{ints}{floats}total_CP_OPENS: 3\n"
    ));
    assert_eq!(table(&log, Module::Cp).ids, [77]);
    assert_eq!(log.names.get(77), Some("...a.dat"));
    assert_eq!(int(&log, Module::Cp, "CP_BYTES_READ"), 3);
    assert_eq!(float(&log, Module::Cp, "CP_F_MPI_READ_TIME"), 0.25);
    assert_eq!((log.compression, log.modules[0].version), ("gzip", 2));
    assert_eq!((damage(&log), codes(&log)), (None, vec!["text-rounding"]));
}

#[test]
fn ids_are_unsigned_and_names_may_hold_tabs() {
    let id = u64::MAX - 1;
    let text = record(Module::Posix, 4, 0, id).replace("/file", "/a\tb");
    let text = text.replace("RENAMED_FROM\t12", "RENAMED_FROM\t18446744073709551615");
    let log = read(&[HEADING, &text].concat());
    assert_eq!(log.names.get(id), Some(&*format!("/a\tb {id}")));
    assert_eq!(int(&log, Module::Posix, "POSIX_RENAMED_FROM"), -1);
    let file = lines("H5D", 0, 5, &[("H5D_FILE_REC_ID", "18446744073709551615")]);
    let log = read(&[HEADING, &record(Module::H5d, 2, 0, 5), &file].concat());
    assert_eq!(table(&log, Module::H5d).file_ids, [u64::MAX]);
}

#[test]
fn a_counter_that_comes_again_begins_a_record() {
    let text = [record(Module::BgQ, 2, -1, 5), record(Module::BgQ, 2, -1, 5)].concat();
    assert_eq!(
        table(&read(&[HEADING, &text].concat()), Module::BgQ).len(),
        2
    );
}

#[test]
fn windows_line_breaks_and_blank_lines_change_nothing() {
    let text = [HEADING, &record(Module::Stdio, 2, 0, 5)].concat();
    let (one, other) = (read(&text), read(&text.replace('\n', "\r\n\r\n")));
    assert_eq!(format!("{:?}", one.modules), format!("{:?}", other.modules));
    assert_eq!(damage(&other), None);
}

#[test]
fn a_text_that_ends_anywhere_keeps_whole_records_only() {
    let (first, second) = (
        record(Module::Stdio, 2, 0, 5),
        record(Module::Stdio, 2, 1, 6),
    );
    let text = [HEADING, &first, &second].concat();
    let begin = HEADING.len() + first.len();
    for end in begin + 1..text.len() {
        let log = read(&text[..end]);
        let last = second[..end - begin].lines().last().unwrap();
        let values = second[..end - begin].matches("STDIO_").count();
        let whole = values == 29 && last.split('\t').count() > 5;
        assert_eq!(
            table(&log, Module::Stdio).len(),
            1 + usize::from(whole),
            "{end}"
        );
        let begun = values > 0 && second[..end - begin].contains("STDIO_OPENS\t");
        assert!(whole || !begun || damage(&log).is_some(), "{end}");
    }
}

#[test]
fn a_module_whose_only_record_is_cut_has_none() {
    let posix = record(Module::Posix, 4, 0, 5);
    let stdio = record(Module::Stdio, 2, 0, 6);
    let cut = stdio
        .lines()
        .take(10)
        .map(|line| format!("{line}\n"))
        .collect::<String>();
    let log = read(&[HEADING, &posix, &cut].concat());
    assert_eq!(table(&log, Module::Posix).len(), 1);
    assert!(table(&log, Module::Stdio).is_empty());
    assert_eq!(
        damage(&log),
        Some("line 89: 1 record without all counters from here on: left out")
    );
}

#[test]
fn lines_that_were_selected_from_a_text_are_read() {
    let bytes = [("POSIX_BYTES_READ", "10"), ("POSIX_BYTES_WRITTEN", "20")];
    let log = read(&[lines("POSIX", 0, 5, &bytes), lines("POSIX", 1, 5, &bytes)].concat());
    assert_eq!(table(&log, Module::Posix).len(), 2);
    assert_eq!(int(&log, Module::Posix, "POSIX_BYTES_WRITTEN"), 20);
    assert_eq!(int(&log, Module::Posix, "POSIX_READS"), -1);
    assert_eq!(
        (damage(&log), codes(&log)),
        (None, vec!["text-no-heading", "text-rounding"])
    );
}

#[test]
fn what_is_not_known_is_told_with_its_place() {
    let text = [
        &record(Module::Posix, 4, 0, 5),
        &*lines("POSIX", 0, 5, &[("POSIX_NEW", "1"), ("POSIX_NEWER", "1")]),
        &lines("NVME", 0, 5, &[("NVME_OPENS", "1")]),
        "what is this\n",
    ]
    .concat();
    let log = read(&[HEADING, &text].concat());
    assert_eq!(table(&log, Module::Posix).len(), 1);
    let messages: Vec<_> = log.warnings.iter().map(ToString::to_string).collect();
    assert!(
        messages[1].starts_with("1 lines are not darshan-parser's, the first in line 92: what")
    );
    assert!(messages[2].starts_with("2 counters are not known, the first in line 89: POSIX_NEW"));
    assert!(messages[3].starts_with("not read: modules NVME"));
}

#[test]
fn a_value_that_cannot_be_costs_its_record() {
    let text = [
        record(Module::Stdio, 2, 0, 5),
        record(Module::Stdio, 2, 1, 6),
    ]
    .concat();
    let log = read(
        &[
            HEADING,
            &text.replacen("STDIO_SEEKS\t4", "STDIO_SEEKS\tfour", 1),
        ]
        .concat(),
    );
    assert_eq!(table(&log, Module::Stdio).ids, [6]);
    assert_eq!(damage(&log), Some("line 7: STDIO_SEEKS cannot be four"));
}

#[test]
fn a_module_that_the_log_has_and_the_text_has_not_is_told() {
    let log = read(&format!(
        "{HEADING}# DXT_POSIX module: 5 bytes (compressed), ver=1\n"
    ));
    assert_eq!(codes(&log), ["text-lacks-modules", "text-rounding"]);
    assert!(log.warnings[0].message.ends_with(": DXT_POSIX"));
}

#[test]
fn more_records_than_may_be_held_are_damage() {
    let text = record(Module::Stdio, 2, 0, 5).repeat(3);
    let limits = Limits {
        decoded: 700,
        ..Limits::default()
    };
    let log = read_parser_text([HEADING, &text].concat().as_bytes(), &limits).unwrap();
    assert_eq!(table(&log, Module::Stdio).len(), 2);
    assert!(
        damage(&log)
            .unwrap()
            .contains("it would take more than 700 bytes")
    );
}

fn heatmaps(log: &Log) -> &[HeatmapRecord] {
    match &log.module(Module::Heatmap).unwrap().records {
        Records::Heatmap(records) => records,
        _ => panic!("heat maps"),
    }
}

#[test]
fn a_heat_map_has_its_bins() {
    let counters = [
        ("HEATMAP_F_BIN_WIDTH_SECONDS", "0.100000"),
        ("HEATMAP_READ_BIN_0", "0"),
        ("HEATMAP_READ_BIN_1", "5"),
        ("HEATMAP_WRITE_BIN_0", "-7"),
        ("HEATMAP_WRITE_BIN_1", "9"),
    ];
    let whole = lines("HEATMAP", 2, 5, &counters);
    let log = read(&[HEADING, &whole, &lines("HEATMAP", 3, 5, &counters[..4])].concat());
    let [map] = heatmaps(&log) else {
        panic!("one whole map")
    };
    assert_eq!((map.rank, map.bin_width_s), (2, 0.1));
    assert_eq!((&*map.reads, &*map.writes), (&[0, 5][..], &[-7, 9][..]));
    assert_eq!(
        damage(&log),
        Some("line 8: the record is not whole: left out")
    );
}

#[test]
fn a_bin_far_away_allocates_nothing() {
    let counters = [
        ("HEATMAP_F_BIN_WIDTH_SECONDS", "0.1"),
        ("HEATMAP_READ_BIN_99999999999999", "1"),
    ];
    let log = read(&[HEADING, &lines("HEATMAP", 2, 5, &counters)].concat());
    assert!(heatmaps(&log)[0].reads.is_empty());
    assert!(
        damage(&log)
            .unwrap()
            .starts_with("line 4: HEATMAP_READ_BIN_99999999999999 cannot")
    );
}

fn layouts(log: &Log) -> &[LustreRecord] {
    match &log.module(Module::Lustre).unwrap().records {
        Records::Lustre(records) => records,
        _ => panic!("stripe layouts"),
    }
}

#[test]
fn stripe_layouts_before_3_4_6_have_one_component() {
    let counters = [
        ("LUSTRE_OSTS", "274"),
        ("LUSTRE_MDTS", "16"),
        ("LUSTRE_STRIPE_OFFSET", "-1"),
        ("LUSTRE_STRIPE_SIZE", "1048576"),
        ("LUSTRE_STRIPE_WIDTH", "2"),
        ("LUSTRE_OST_ID_0", "88"),
        ("LUSTRE_OST_ID_1", "89"),
    ];
    let text = [
        lines("LUSTRE", -1, 5, &counters),
        lines("LUSTRE", -1, 6, &counters[..6]),
    ]
    .concat();
    let log = read(&[HEADING, &text].concat());
    let [layout] = layouts(&log) else {
        panic!("one whole layout")
    };
    assert_eq!(
        (layout.targets, &*layout.osts),
        (Some((274, 16)), &[88, 89][..])
    );
    let component = &layout.components[0];
    assert_eq!(
        (component.stripe_size, component.stripe_count),
        (1_048_576, 2)
    );
    assert_eq!(
        (component.ext_start, component.ext_end, component.flags),
        (0, -1, -1)
    );
    assert_eq!(
        damage(&log),
        Some("line 10: the record is not whole: left out")
    );
}

#[test]
fn stripe_layouts_have_components_with_names_for_their_flags() {
    let text = lines(
        "LUSTRE",
        0,
        5,
        &[
            ("LUSTRE_NUM_COMPONENTS", "2"),
            ("LUSTRE_NUM_STRIPES", "1"),
            ("LUSTRE_COMP1_STRIPE_SIZE", "1048576"),
            ("LUSTRE_COMP1_STRIPE_COUNT", "0"),
            ("LUSTRE_COMP1_STRIPE_PATTERN", "mdt"),
            ("LUSTRE_COMP1_FLAGS", "init,prefwr,"),
            ("LUSTRE_COMP1_EXT_START", "0"),
            ("LUSTRE_COMP1_EXT_END", "4096"),
            ("LUSTRE_COMP1_MIRROR_ID", "0"),
            ("LUSTRE_COMP1_POOL_NAME", "N/A"),
            ("LUSTRE_COMP2_STRIPE_SIZE", "2097152"),
            ("LUSTRE_COMP2_STRIPE_PATTERN", "raid0,overstriped"),
            ("LUSTRE_COMP2_FLAGS", "N/A"),
            ("LUSTRE_COMP2_POOL_NAME", "flash"),
            ("LUSTRE_COMP2_OST_ID_0", "23"),
        ],
    );
    let log = read(&[HEADING, &text].concat());
    let [layout] = layouts(&log) else {
        panic!("one layout")
    };
    let [first, second] = &layout.components[..] else {
        panic!("two components")
    };
    assert_eq!(
        (first.stripe_pattern, first.flags, first.ext_end),
        (2, 0b1_0100, 4096)
    );
    assert_eq!((second.stripe_pattern, second.flags), (4, -1));
    assert_eq!((&*first.pool_name, &*second.pool_name), ("", "flash"));
    assert_eq!((&*layout.osts, layout.targets), (&[23][..], None));
}

#[test]
fn mdhim_has_a_counter_per_server() {
    let servers = [("MDHIM_SERVER_0", "100"), ("MDHIM_SERVER_1", "101")];
    let text = record(Module::Mdhim, 1, 0, 5).replace("MDHIM_SERVERS\t4", "MDHIM_SERVERS\t2");
    let log = read(&[HEADING, &text, &lines("MDHIM", 0, 5, &servers)].concat());
    let Records::Mdhim(records) = &log.modules[0].records else {
        panic!("MDHIM")
    };
    let expected = MdhimRecord {
        id: 5,
        rank: 0,
        ints: vec![0, 1, 2, 3, 2],
        floats: vec![0.5, 1.5, 2.5, 3.5],
        histogram: vec![100, 101],
    };
    assert_eq!(*records, [expected]);
    let log = read(&[HEADING, &text].concat());
    assert_eq!(
        damage(&log),
        Some("line 3: the record is not whole: left out")
    );
}

#[test]
fn autoperf_s_modules_begin_with_a_header() {
    let header = lines(
        "APMPI",
        0,
        7,
        &[("MPI_TOTAL_COMM_TIME_VARIANCE", "1.500000")],
    );
    let node = lines("APMPI", 0, 8, &[("MPI_PROCESSOR_NAME", "nid1")]);
    let text = [HEADING, &header, &node, &record(Module::Apmpi, 1, 0, 8)].concat();
    let log = read(&text);
    let Records::Apmpi(apmpi) = &log.modules[0].records else {
        panic!("APMPI")
    };
    assert_eq!(apmpi.header.as_ref().unwrap().variance_total_mpitime, 1.5);
    assert_eq!(
        (apmpi.table.len(), &*apmpi.nodes),
        (1, &["nid1".to_owned()][..])
    );
    assert_eq!((damage(&log), codes(&log)), (None, vec!["text-rounding"]));

    let header = lines(
        "APXC",
        0,
        7,
        &[
            ("APXC_GROUPS", "1"),
            ("APXC_CHASSIS", "2"),
            ("APXC_BLADES", "3"),
            ("APXC_MEMORY_MODE", "MM_FLAT"),
            ("APXC_MEMORY_MODE_CONSISTENT", "0"),
            ("APXC_CLUSTER_MODE", "CM_QUAD"),
            ("APXC_APPLICATION_ID", "99"),
        ],
    );
    let places = [
        ("APXC_GROUP", "4"),
        ("APXC_CHASSIS", "5"),
        ("APXC_BLADE", "6"),
        ("APXC_NODE", "7"),
    ];
    let text = [
        HEADING,
        &header,
        &lines("APXC", 0, 8, &places),
        &record(Module::Apxc, 1, 0, 8),
    ];
    let log = read(&text.concat());
    let Records::Apxc(apxc) = &log.modules[0].records else {
        panic!("APXC")
    };
    assert_eq!(apxc.header.unwrap()[3..], [3, 2, 1, 1 | 1 << 31, 2, 99]);
    assert_eq!((apxc.table.len(), &*apxc.places), (1, &[[4, 5, 6, 7]][..]));
    assert_eq!(damage(&log), None);
}

#[test]
fn daos_objects_are_named_by_their_columns() {
    let uuid = "00112233-4455-6677-8899-aabbccddeeff";
    let text =
        record(Module::Daos, 1, 0, 5).replace("/file 5\t/\t", &format!("281.64\t{uuid}:N/A\t"));
    let log = read(&[HEADING, &text].concat());
    let object = table(&log, Module::Daos).objects[0];
    assert_eq!(
        (object.oid, object.pool[15], object.container),
        ((281, 64), 0xff, [0; 16])
    );
    assert_eq!(log.names.get(5), None);
}
