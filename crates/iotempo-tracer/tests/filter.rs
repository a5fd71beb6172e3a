//! Which paths are traced.

#[path = "../src/filter.rs"]
mod filter;

use filter::traced;

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
        "/tmp/ompi.node.1000/pid.3521/1/file_cid-0-3527.sm",
    ] {
        assert!(!traced(path.as_bytes(), b"", b""), "{path}");
    }
    for path in [
        "/home/me/data",
        "/dev/shm/x",
        "/dev/null",
        "/etcetera",
        "/a/libm.solution",
        "/",
    ] {
        assert!(traced(path.as_bytes(), b"", b""), "{path}");
    }
}

#[test]
fn an_include_list_decides_and_an_exclude_list_overrules() {
    assert!(traced(b"/etc/passwd", b"/etc", b""));
    assert!(!traced(b"/home/me", b"/etc", b""));
    assert!(!traced(b"/etc/passwd", b"/etc", b"*wd"));
    assert!(traced(b"/etc/group", b"/nowhere::/etc/", b"*wd"));
}

#[test]
fn patterns_are_those_of_a_shell() {
    for (pattern, path, fits) in [
        ("*", "", false),
        ("/a*c", "/abbc", true),
        ("/a*c", "/abbcd", false),
        ("/a*b*c", "/a/b/b/c", true),
        ("/?[0-9]", "/x7", true),
        ("/?[!0-9]", "/x7", false),
        ("/[ab", "/a", false),
        ("/*.h5", "/run/out.h5", true),
        ("*a*a*a*a*b", "/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false),
    ] {
        assert_eq!(
            !path.is_empty() && traced(path.as_bytes(), pattern.as_bytes(), b""),
            fits,
            "{pattern} {path}"
        );
    }
}
