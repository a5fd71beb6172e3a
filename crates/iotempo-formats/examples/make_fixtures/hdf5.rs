//! Small tables in HDF5, byte by byte: groups, chunks that are compressed, a label that lies.

use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::Write;

const NOWHERE: u64 = u64::MAX;

/// A file that grows; an address is where something was appended.
struct Writer(Vec<u8>);

fn padded(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.resize(bytes.len().div_ceil(8) * 8, 0);
    bytes
}

fn message(kind: u16, bytes: Vec<u8>) -> Vec<u8> {
    let bytes = padded(bytes);
    let mut message = kind.to_le_bytes().to_vec();
    message.extend((bytes.len() as u16).to_le_bytes());
    message.extend([0; 4]);
    message.extend(bytes);
    message
}

fn shape(dimensions: &[u64]) -> Vec<u8> {
    let mut bytes = vec![1, dimensions.len() as u8, 0, 0, 0, 0, 0, 0];
    bytes.extend(dimensions.iter().flat_map(|one| one.to_le_bytes()));
    bytes
}

const FLOAT: [u8; 20] = [
    0x11, 0x20, 0x3f, 0, 8, 0, 0, 0, 0, 0, 64, 0, 52, 11, 0, 52, 0xff, 3, 0, 0,
];
const WHOLE: [u8; 12] = [0x10, 8, 0, 0, 8, 0, 0, 0, 0, 0, 64, 0];

fn text_type(length: u32) -> Vec<u8> {
    let mut bytes = vec![0x13, 0, 0, 0];
    bytes.extend(length.to_le_bytes());
    bytes
}

/// Text in the heap that all objects share.
fn text_elsewhere() -> Vec<u8> {
    let mut bytes = vec![0x19, 1, 0, 0, 16, 0, 0, 0];
    bytes.extend(text_type(1));
    bytes
}

fn attribute(name: &str, kind: &[u8], dimensions: &[u64], data: &[u8]) -> Vec<u8> {
    let (name, shape) = (format!("{name}\0"), shape(dimensions));
    let mut bytes = vec![1, 0];
    for length in [name.len(), kind.len(), shape.len()] {
        bytes.extend((length as u16).to_le_bytes());
    }
    bytes.extend(padded(name.into_bytes()));
    bytes.extend(padded(kind.to_vec()));
    bytes.extend(padded(shape));
    bytes.extend(data);
    message(0x0c, bytes)
}

impl Writer {
    fn put(&mut self, bytes: &[u8]) -> u64 {
        self.0.resize(self.0.len().div_ceil(8) * 8, 0);
        let at = self.0.len() as u64;
        self.0.extend(bytes);
        at
    }

    /// A header; its last messages stand in a second block.
    fn object(&mut self, messages: &[Vec<u8>]) -> u64 {
        let (first, rest) = messages.split_at(messages.len() / 2);
        let rest = rest.concat();
        let second = self.put(&rest);
        let mut link = second.to_le_bytes().to_vec();
        link.extend((rest.len() as u64).to_le_bytes());
        let first = [first.concat(), message(0x10, link)].concat();
        let mut bytes = vec![1, 0];
        bytes.extend((messages.len() as u16 + 1).to_le_bytes());
        bytes.extend(1_u32.to_le_bytes());
        bytes.extend((first.len() as u32).to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(first);
        self.put(&bytes)
    }

    fn tree(&mut self, kind: u8, entries: &[(Vec<u8>, u64)], last: &[u8]) -> u64 {
        let mut bytes = vec![b'T', b'R', b'E', b'E', kind, 0];
        bytes.extend((entries.len() as u16).to_le_bytes());
        bytes.extend([NOWHERE.to_le_bytes(); 2].concat());
        for (key, child) in entries {
            bytes.extend(key);
            bytes.extend(child.to_le_bytes());
        }
        bytes.extend(last);
        // The library reads a node as a whole, with room for all the entries that it may get.
        let most = if kind == 0 { 32 } else { 64 };
        bytes.resize(24 + most * (last.len() + 8) + last.len(), 0);
        self.put(&bytes)
    }

    fn group(&mut self, members: &[(&str, u64)]) -> u64 {
        let mut names = vec![0; 8];
        // A key is where a name stands: all below it come before that name, or are it.
        let mut last = 0;
        let mut list = b"SNOD\x01\0".to_vec();
        list.extend((members.len() as u16).to_le_bytes());
        for (name, at) in members {
            last = names.len() as u64;
            list.extend(last.to_le_bytes());
            list.extend(at.to_le_bytes());
            list.extend([0; 24]);
            names.extend(padded(format!("{name}\0").into_bytes()));
        }
        list.resize(8 + 8 * 40, 0);
        let segment = self.put(&names);
        let mut heap = b"HEAP\0\0\0\0".to_vec();
        for number in [names.len() as u64, 1, segment] {
            heap.extend(number.to_le_bytes());
        }
        let heap = self.put(&heap);
        let list = self.put(&list);
        let tree = self.tree(0, &[(vec![0; 8], list)], &last.to_le_bytes());
        let table = [tree.to_le_bytes(), heap.to_le_bytes()].concat();
        self.object(&[message(0x11, table), message(0, Vec::new())])
    }

    /// Whole numbers in one dimension, stored in one piece.
    fn times(&mut self, times: &[i64]) -> u64 {
        let data: Vec<u8> = times.iter().flat_map(|one| one.to_le_bytes()).collect();
        let at = self.put(&data);
        let mut layout = vec![3, 1];
        layout.extend(at.to_le_bytes());
        layout.extend((data.len() as u64).to_le_bytes());
        self.object(&[
            message(1, shape(&[times.len() as u64])),
            message(3, WHOLE.to_vec()),
            message(8, layout),
        ])
    }

    /// Numbers in chunks of two rows and two columns, shuffled and compressed.
    fn chunked(
        &mut self,
        rows: u64,
        columns: u64,
        number: impl Fn(u64, u64) -> f64,
        about: &[Vec<u8>],
    ) -> u64 {
        let mut entries = Vec::new();
        for (row, column) in (0..rows)
            .step_by(2)
            .flat_map(|row| (0..columns).step_by(2).map(move |column| (row, column)))
        {
            let cells = [(0, 0), (0, 1), (1, 0), (1, 1)];
            let elements =
                cells.map(|(down, right)| number(row + down, column + right).to_le_bytes());
            let shuffled: Vec<u8> = (0..8)
                .flat_map(|byte| elements.map(|element| element[byte]))
                .collect();
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(&shuffled).expect("memory");
            let stored = encoder.finish().expect("memory");
            let mut key = (stored.len() as u32).to_le_bytes().to_vec();
            key.extend([0; 4]);
            key.extend([row, column, 0].map(u64::to_le_bytes).concat());
            entries.push((key, self.put(&stored)));
        }
        let behind = [0, rows.div_ceil(2) * 2, columns.div_ceil(2) * 2, 0]
            .map(u64::to_le_bytes)
            .concat();
        let tree = self.tree(1, &entries, &behind);
        let mut layout = vec![3, 2, 3];
        layout.extend(tree.to_le_bytes());
        layout.extend([2_u32, 2, 8].map(u32::to_le_bytes).concat());
        let mut filters = vec![1, 2, 0, 0, 0, 0, 0, 0];
        for (id, value) in [(2_u16, 8_u32), (1, 9)] {
            filters.extend([id, 0, 0, 1].map(u16::to_le_bytes).concat());
            filters.extend([value, 0].map(u32::to_le_bytes).concat());
        }
        let mut messages = vec![
            message(1, shape(&[rows, columns])),
            message(3, FLOAT.to_vec()),
            message(8, layout),
            message(0x0b, filters),
        ];
        messages.extend_from_slice(about);
        self.object(&messages)
    }

    fn finish(mut self, root: u64) -> Vec<u8> {
        let end = self.0.len() as u64;
        self.0[40..48].copy_from_slice(&end.to_le_bytes());
        self.0[64..72].copy_from_slice(&root.to_le_bytes());
        self.0
    }

    fn new() -> Self {
        let mut start = b"\x89HDF\r\n\x1a\n\0\0\0\0\0\x08\x08\0".to_vec();
        start.extend([4, 0, 16, 0, 0, 0, 0, 0]);
        start.extend(
            [0, NOWHERE, 0, NOWHERE, 0, 0]
                .map(u64::to_le_bytes)
                .concat(),
        );
        start.resize(96, 0);
        Self(start)
    }
}

/// TOKIO's series: five steps of three targets; volumes are labelled as rates.
pub(crate) fn tokio() -> Vec<u8> {
    let mut file = Writer::new();
    let label = b"bytes/sec";
    let mut heap = b"GCOL\x01\0\0\0".to_vec();
    heap.extend(4096_u64.to_le_bytes());
    heap.extend([1, 0, 1, 0, 0, 0, 0, 0]);
    heap.extend((label.len() as u64).to_le_bytes());
    heap.extend(label);
    heap.resize(4096, 0);
    // The rest is free.
    heap[56..64].copy_from_slice(&(4096_u64 - 48).to_le_bytes());
    let heap = file.put(&heap);
    let mut reference = (label.len() as u32).to_le_bytes().to_vec();
    reference.extend(heap.to_le_bytes());
    reference.extend(1_u32.to_le_bytes());
    let about = [
        attribute("columns", &text_type(4), &[3], b"OST0OST1OST2"),
        attribute("units", &text_elsewhere(), &[], &reference),
    ];
    let number = |row: u64, column: u64| (row * 4096 + column) as f64;
    let members = [
        ("readbytes", file.chunked(5, 3, number, &about)),
        ("timestamps", file.times(&[100, 110, 120, 130, 140])),
        (
            "writebytes",
            file.chunked(5, 3, |row, _| if row == 2 { -0.0 } else { 1.0 }, &about),
        ),
    ];
    let group = file.group(&members);
    let root = file.group(&[("datatargets", group)]);
    file.finish(root)
}

/// pylmt's tables: two OSTs, four steps, the first of which is empty.
pub(crate) fn pylmt() -> Vec<u8> {
    let mut file = Writer::new();
    let names = [attribute(
        "OSTNames",
        &text_type(8),
        &[2],
        b"fs-OST00fs-OST01",
    )];
    let steps = file.times(&[100, 105, 110, 115]);
    let rate = |_: u64, column: u64| column as f64 * 0.5;
    let read = file.chunked(2, 4, rate, &names);
    let written = file.chunked(2, 4, rate, &names);
    let groups = [
        ("FSStepsGroup", file.group(&[("FSStepsDataSet", steps)])),
        ("OSTReadGroup", file.group(&[("OSTBulkReadDataSet", read)])),
        (
            "OSTWriteGroup",
            file.group(&[("OSTBulkWriteDataSet", written)]),
        ),
    ];
    let root = file.group(&groups);
    file.finish(root)
}
