//! Which reader takes which log: each its own, and none what is no log of a server.

use crate::log;
use iotempo_formats::server::{Kind, detect};
use iotempo_formats::{Format, Input};
use std::fs::File;
use std::path::{Path, PathBuf};

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found
}

fn head(path: &Path) -> Option<Vec<u8>> {
    let input = Input::file(File::open(path).unwrap()).ok()?;
    Some(input.unwrapped().ok()?.head().to_vec())
}

#[test]
fn sysstat_and_collectl_take_their_own_logs_and_no_others() {
    let Some(folder) = log("sysstat_and_collectl_take_their_own_logs_and_no_others", "") else {
        return;
    };
    let mut taken = [0, 0];
    for path in files(&folder) {
        let name = path.strip_prefix(&folder).unwrap().display().to_string();
        let found = head(&path).and_then(|head| detect(&head));
        let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
        let sysstat = starts(&["iostat_", "sa", "mlperf-polaris-run0/iostat"]);
        let collectl = starts(&["ctl/", "collectl-"]);
        assert_eq!(found == Some(Kind::Sysstat), sysstat, "{name}: {found:?}");
        assert_eq!(found == Some(Kind::Collectl), collectl, "{name}: {found:?}");
        taken[0] += u32::from(sysstat);
        taken[1] += u32::from(collectl);
    }
    assert_eq!(taken, [17, 11]);
}

#[test]
fn what_is_no_log_of_a_server_is_none() {
    let Some(folder) = log("what_is_no_log_of_a_server_is_none", "") else {
        return;
    };
    let mut looked_at = 0;
    for other in ["tmio", "darshan", "joblogs", "series"] {
        for path in files(&folder.join("..").join(other)) {
            let Some(head) = head(&path) else { continue };
            looked_at += 1;
            let found = iotempo_formats::detect(&head);
            let claimed = matches!(found, Ok(Format::Server(_)));
            assert!(!claimed, "{}: {found:?}", path.display());
        }
    }
    assert!(looked_at > 50, "{looked_at}");
}
