//! No reader takes what is another's.

use crate::log;
use iotempo_formats::Input;
use iotempo_formats::server::{Kind, detect};
use std::fs::File;
use std::path::{Path, PathBuf};

/// Which folders and files of real logs these readers take, and as what.
const TAKEN: [(&str, Kind); 12] = [
    ("gpfs/", Kind::Mmperfmon),
    ("ldms-eclipse/", Kind::Ldms),
    ("lmt/cerebro_metric_strings_2.15.4.txt", Kind::LmtStrings),
    ("lmt/lmtdb-reset.sqlite3", Kind::LmtDatabase),
    ("lmt/sample_tokiots.hdf5", Kind::Hdf5),
    ("lmt/snx11025_2018-01-28.h5lmt", Kind::Hdf5),
    ("lmt/snx11025_2018-01-28.hdf5", Kind::Hdf5),
    ("lmt/snx11025_2018-01-28.sqlite3", Kind::LmtDatabase),
    ("lustre/", Kind::Lustre),
    ("pytokio/sample_collectdes-full.json.gz", Kind::Collectd),
    ("pytokio/sample_tokiots.hdf5", Kind::Hdf5),
    ("pytokio/snx11025_2018-01-28.", Kind::Hdf5),
];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

fn kind(path: &Path) -> Option<Kind> {
    let input = Input::file(File::open(path).unwrap()).unwrap();
    let input = input.unwrapped().ok()?;
    detect(input.head())
}

#[test]
fn every_log_of_a_server_is_taken_by_the_reader_of_its_tool() {
    let test = "every_log_of_a_server_is_taken_by_the_reader_of_its_tool";
    let Some(folder) = log(test, "") else {
        return;
    };
    let mut paths = Vec::new();
    files(&folder, &mut paths);
    let taken: Vec<Kind> = TAKEN.iter().map(|(_, kind)| *kind).collect();
    for path in paths {
        let name = path
            .strip_prefix(&folder)
            .unwrap()
            .to_string_lossy()
            .into_owned();
        let expected = TAKEN.iter().find(|(begin, _)| name.starts_with(begin));
        let found = kind(&path);
        match expected {
            Some((_, expected)) => assert_eq!(found, Some(*expected), "{name}"),
            None => assert!(
                found.is_none_or(|kind| !taken.contains(&kind)),
                "{name}: {found:?}"
            ),
        }
    }
}

#[test]
fn nothing_else_is_taken_for_the_log_of_a_server() {
    let test = "nothing_else_is_taken_for_the_log_of_a_server";
    let Some(folder) = log(test, "") else {
        return;
    };
    for other in [
        "tmio", "darshan", "joblogs", "series", "recorder", "dftracer",
    ] {
        let mut paths = Vec::new();
        files(&folder.join("..").join(other), &mut paths);
        for path in paths {
            assert_eq!(kind(&path), None, "{}", path.display());
        }
    }
}
