//! Archives of logs, read in place.
#![allow(clippy::unwrap_used)]

mod common;
use common::{Place, REQUESTS, Ran, gzip, tar};

const OTHER: &str = "time,read\n0,10\n1,10\n";

fn two_logs() -> Vec<u8> {
    tar(&[
        ("logs/one.csv", REQUESTS.as_bytes()),
        ("logs/README", b"nothing"),
        ("logs/two.csv", OTHER.as_bytes()),
    ])
}

fn read(ran: &Ran) -> Vec<(String, u64)> {
    let json = ran.json();
    let results = json["results"].as_array().unwrap();
    let row = |result: &serde_json::Value| {
        let name = result["input"].as_str().unwrap().to_owned();
        (name, result["bytes_read"].as_u64().unwrap())
    };
    results.iter().map(row).collect()
}

#[test]
fn the_members_of_an_archive_are_inputs() {
    let place = Place::new();
    // Judged by content: the name says nothing.
    place.write("a.bin", two_logs());
    place.write("b.bin", gzip(&two_logs()));
    for archive in ["a.bin", "b.bin"] {
        let ran = place.run(&["inspect", archive, "--json"]).ok();
        let expected = [
            (format!("{archive}:logs/one.csv"), 50),
            (format!("{archive}:logs/two.csv"), 20),
        ];
        assert_eq!(read(&ran), expected);
        assert!(ran.err.contains("skipped 1 file"), "{ran:?}");
    }
    let ran = place
        .run_with(&["inspect", "-", "--json"], gzip(&two_logs()))
        .ok();
    assert_eq!(read(&ran)[0].0, "-:logs/one.csv");
}

#[test]
fn members_are_hashed_like_files() {
    let place = Place::new();
    place.write("a.tar", two_logs());
    place.write("b.tgz", gzip(&two_logs()));
    place.write("one.csv", REQUESTS);
    let hash = |name: &str| {
        let json = place.run(&["inspect", name, "--json"]).ok().json();
        json["results"][0]["sha256"].as_str().unwrap().to_owned()
    };
    assert_eq!(hash("one.csv").len(), 64);
    assert_eq!(hash("a.tar"), hash("one.csv"));
    assert_eq!(hash("b.tgz"), hash("one.csv"));
    let stdin = place
        .run_with(&["inspect", "-", "--json"], REQUESTS)
        .ok()
        .json();
    assert_eq!(stdin["results"][0]["sha256"], hash("one.csv"));
}

#[test]
fn archives_keep_their_place_among_other_inputs() {
    let place = Place::new();
    let names: Vec<_> = (0..50).map(|number| format!("{number:02}.csv")).collect();
    let members: Vec<_> = names
        .iter()
        .map(|name| (name.as_str(), REQUESTS.as_bytes()))
        .collect();
    place.write("logs/b.tar", tar(&members));
    place.write("logs/c.tgz", gzip(&tar(&members)));
    place.write("logs/a.csv", REQUESTS);
    place.write("logs/d.csv", REQUESTS);
    let ran = place
        .run(&["inspect", "logs", "--json", "--threads", "5"])
        .ok();
    let mut expected = vec!["logs/a.csv".to_owned()];
    for archive in ["b.tar", "c.tgz"] {
        expected.extend(names.iter().map(|name| format!("logs/{archive}:{name}")));
    }
    expected.push("logs/d.csv".to_owned());
    let names: Vec<_> = read(&ran).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, expected);
}

#[test]
fn members_before_a_cut_are_read() {
    let place = Place::new();
    let whole = two_logs();
    // Each member takes a block for its header and one for its bytes: 0, 1024, 2048.
    for (len, members, message) in [
        (
            2560 + 10,
            1,
            "byte 2570: the archive ends inside this member, which begins at byte 2560",
        ),
        (
            2048 + 100,
            1,
            "the archive is damaged: failed to read entire block",
        ),
        (
            2048,
            1,
            "byte 2048: the archive has no end mark: it may have been cut",
        ),
        (
            3072,
            2,
            "byte 3072: the archive has no end mark: it may have been cut",
        ),
    ] {
        place.write("cut.tar", &whole[..len]);
        let ran = place.run(&["inspect", "cut.tar", "--json"]).code(1);
        assert_eq!(read(&ran).len(), members, "{len}: {ran:?}");
        let error = &ran.json()["errors"][0];
        assert!(
            error["message"].as_str().unwrap().contains(message),
            "{len}: {ran:?}"
        );
    }
    let compressed = gzip(&tar(&[
        ("one.csv", REQUESTS.as_bytes()),
        ("two.csv", &noise(20_000)),
    ]));
    place.write("cut.tgz", &compressed[..compressed.len() / 2]);
    let ran = place.run(&["inspect", "cut.tgz", "--json"]).code(1);
    assert_eq!(read(&ran).len(), 1, "{ran:?}");
    assert_eq!(ran.json()["errors"][0]["input"], "cut.tgz:two.csv");
}

/// Bytes that do not compress.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let next = std::iter::repeat_with(|| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    });
    next.take(len).collect()
}

#[test]
fn a_lying_size_is_an_error_and_not_an_allocation() {
    let place = Place::new();
    let mut bytes = two_logs();
    // The size of the first member: 8 GiB less a byte.
    let mut header = tar::Header::new_ustar();
    header.as_mut_bytes().copy_from_slice(&bytes[..512]);
    header.set_size((8 << 30) - 1);
    header.set_cksum();
    bytes[..512].copy_from_slice(header.as_bytes());
    place.write("lie.tar", &bytes);
    place.write("lie.tgz", gzip(&bytes));
    for archive in ["lie.tar", "lie.tgz"] {
        let ran = place.run(&["inspect", archive, "--json"]).code(1);
        let message = ran.json()["errors"][0]["message"]
            .as_str()
            .unwrap()
            .to_owned();
        assert!(
            message.contains("the archive ends inside this member"),
            "{ran:?}"
        );
    }
}

#[test]
fn long_names_and_compressed_members_are_understood() {
    let place = Place::new();
    let name = format!("{}/requests.csv.gz", "folder/".repeat(30));
    let mut builder = tar::Builder::new(Vec::new());
    let bytes = gzip(REQUESTS.as_bytes());
    let mut header = tar::Header::new_gnu();
    header.set_size(bytes.len() as u64);
    builder.append_data(&mut header, &name, &bytes[..]).unwrap();
    place.write("long.tar", builder.into_inner().unwrap());
    let ran = place.run(&["inspect", "long.tar", "--json"]).ok();
    let read = read(&ran);
    assert!(read[0].0.len() > 200 && read[0].1 == 50, "{read:?}");
}

#[test]
fn names_that_climb_out_of_an_archive_lead_nowhere() {
    let place = Place::new();
    let csv = REQUESTS.as_bytes();
    place.write(
        "sly.tar",
        tar(&[("../../up.csv", csv), ("/abs/x.csv", csv)]),
    );
    place
        .run(&["convert", "sly.tar", "--out-dir", "deep/er/out"])
        .ok();
    assert_eq!(
        place.files(),
        [
            "deep/er/out/sly.tar/abs/x.csv.csv",
            "deep/er/out/sly.tar/up.csv.csv",
            "sly.tar"
        ]
    );
}
