//! Which paths are traced.

#[path = "../src/filter.rs"]
mod filter;

use filter::Filter;

fn traced(path: &str, include: &str, exclude: &str) -> bool {
    let filter = Filter::new(include.as_bytes(), exclude.as_bytes(), b"/tmp");
    filter.expect("patterns").traces(path.as_bytes())
}

#[test]
fn system_files_and_shared_libraries_are_not_traced() {
    for path in [
        "/proc/self/maps",
        "/etc/passwd",
        "/usr/lib/x/y",
        "/dev/tty",
        "/a/libm.so.6",
        "/a/b.so",
        "/dev/shm/ucx_shm_posix_254d98d3",
        "/dev/shm/open_mpi.0000",
        "/tmp/ompi.node.1000/pid.3521/1/file_cid-0-3527.sm",
        "/tmp/ompi.node.1000/jf.31817/1/m1_cid-0-1.sm",
        "/tmp/openmpi-sessions-me@node_0/1/x",
    ] {
        assert!(!traced(path, "", ""), "{path}");
    }
    for path in [
        "/home/me/data",
        "/dev/shm/x",
        "/dev/null",
        "/etcetera",
        "/a/libm.solution",
        "/home/me/openmpi-sessions-compared/data",
        "/tmp/me/ompi.node.1000/pid.3521/data",
        "/tmp/ompi.data",
        "/tmpompi.node/pid.1/x",
        "/",
    ] {
        assert!(traced(path, "", ""), "{path}");
    }
}

#[test]
fn what_is_included_decides_and_what_is_excluded_overrules() {
    assert!(traced("/etc/passwd", "^/etc/", ""));
    assert!(!traced("/home/me", "^/etc/", ""));
    assert!(!traced("/etc/passwd", "^/etc/", "wd$"));
    assert!(traced("/etc/group", "(^/nowhere)|(^/etc/)", "wd$"));
}

#[test]
fn a_path_is_ignored_as_it_is_spelled_only_where_it_leads_nowhere_else() {
    let ignored = |path: &str, include: &str, exclude: &str| {
        let filter = Filter::new(include.as_bytes(), exclude.as_bytes(), b"/tmp");
        filter.expect("patterns").plainly_ignores(path.as_bytes())
    };
    for path in ["/etc/passwd", "/usr/share/x", "/sys/class/net"] {
        assert!(ignored(path, "", ""), "{path}");
        assert!(!ignored(path, "^/tmp", ""), "{path} may be a link");
    }
    for path in [
        "/dev/stdout",
        "/dev/fd/3",
        "/proc/self/fd/3",
        "/proc/self/cwd/x",
        "/usr/lib/../../home/me",
        "/home/me",
        "etc/passwd",
    ] {
        assert!(!ignored(path, "", "^/"), "{path}");
    }
}

#[test]
fn block_devices_are_traced_unless_lists_say_otherwise() {
    let traced = |include: &str, exclude: &str| {
        let filter = Filter::new(include.as_bytes(), exclude.as_bytes(), b"/tmp");
        filter.expect("patterns").traces_block_device(b"/dev/sda")
    };
    assert!(traced("", "") && traced("", "tty") && traced("sd", ""));
    assert!(!traced("", "sd") && !traced("^/home", "") && !traced("sd", "sda"));
}

#[test]
fn a_text_that_is_no_pattern_is_refused() {
    assert!(Filter::new(b"(", b"", b"").is_err());
    assert!(Filter::new(b"", b"*.h5", b"").is_err());
    assert!(Filter::new(b"\xff", b"", b"").is_err(), "not UTF-8");
}
