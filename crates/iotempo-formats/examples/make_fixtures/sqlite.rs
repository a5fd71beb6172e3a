//! A small database of LMT, page by page: a tree of two levels, a row that goes on on other pages.

const PAGE: usize = 1024;

enum Field<'a> {
    Whole(i64),
    Text(&'a str),
}

fn varint(number: u64) -> Vec<u8> {
    let mut bytes = vec![(number & 0x7f) as u8];
    let mut rest = number >> 7;
    while rest > 0 {
        bytes.insert(0, (rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    bytes
}

fn record(fields: &[Field<'_>]) -> Vec<u8> {
    let (mut types, mut values) = (Vec::new(), Vec::new());
    for field in fields {
        match field {
            Field::Whole(number) => {
                types.push(6);
                values.extend(number.to_be_bytes());
            }
            Field::Text(text) => {
                types.extend(varint(text.len() as u64 * 2 + 13));
                values.extend(text.as_bytes());
            }
        }
    }
    let mut bytes = varint(types.len() as u64 + 1);
    bytes.extend(types);
    bytes.extend(values);
    bytes
}

/// A cell of a leaf; what does not fit goes to the pages from `next` on.
fn cell(row: u64, payload: &[u8], next: u32, overflow: &mut Vec<Vec<u8>>) -> Vec<u8> {
    let mut cell = varint(payload.len() as u64);
    cell.extend(varint(row));
    if payload.len() <= PAGE - 35 {
        cell.extend(payload);
        return cell;
    }
    let least = (PAGE - 12) * 32 / 255 - 23;
    let fitting = least + (payload.len() - least) % (PAGE - 4);
    let local = if fitting <= PAGE - 35 { fitting } else { least };
    cell.extend(&payload[..local]);
    cell.extend((next + overflow.len() as u32).to_be_bytes());
    let pieces: Vec<&[u8]> = payload[local..].chunks(PAGE - 4).collect();
    for (index, piece) in pieces.iter().enumerate() {
        let last = index + 1 == pieces.len();
        let link = if last {
            0
        } else {
            next + overflow.len() as u32 + 1
        };
        let mut page = link.to_be_bytes().to_vec();
        page.extend(*piece);
        page.resize(PAGE, 0);
        overflow.push(page);
    }
    cell
}

/// A page of the tree of a table; `rightmost` is a child, where it has any.
fn page(cells: &[Vec<u8>], rightmost: Option<u32>, before: &[u8]) -> Vec<u8> {
    let mut bytes = before.to_vec();
    bytes.push(if rightmost.is_some() { 0x05 } else { 0x0d });
    bytes.extend([0, 0]);
    bytes.extend((cells.len() as u16).to_be_bytes());
    let mut end = PAGE;
    let places: Vec<usize> = cells
        .iter()
        .map(|cell| {
            end -= cell.len();
            end
        })
        .collect();
    bytes.extend((end as u16).to_be_bytes());
    bytes.push(0);
    bytes.extend(rightmost.map(u32::to_be_bytes).into_iter().flatten());
    for place in &places {
        bytes.extend((*place as u16).to_be_bytes());
    }
    bytes.resize(PAGE, 0);
    for (cell, place) in cells.iter().zip(places) {
        bytes[place..place + cell.len()].copy_from_slice(cell);
    }
    bytes
}

/// Two OSTs, eight times; the counters of the second begin anew.
pub(crate) fn lmt() -> Vec<u8> {
    let mut overflow = Vec::new();
    let next = 7;
    let long = format!("fs-OST0001{}", "x".repeat(2500));
    let names = [("oss1", "fs-OST0000"), ("oss2", long.as_str())];
    let mut of_names = Vec::new();
    for (id, (host, name)) in (1..).zip(names) {
        let fields = [Field::Whole(id), Field::Text(name), Field::Text(host)];
        of_names.push(cell(id as u64, &record(&fields), next, &mut overflow));
    }
    let times: Vec<Vec<u8>> = (1..=8)
        .map(|id| {
            let time = format!("2018-01-28 00:00:{:02}", (id - 1) * 5);
            let fields = [Field::Whole(id), Field::Text(&time)];
            cell(id as u64, &record(&fields), next, &mut overflow)
        })
        .collect();
    let data = |rows: std::ops::Range<i64>| -> Vec<Vec<u8>> {
        rows.map(|row| {
            let (ost, time) = (row % 2 + 1, row / 2 + 1);
            let counter = if ost == 2 { time % 5 } else { time } * 1_048_576;
            let numbers = [ost, time, counter, counter * 2].map(Field::Whole);
            cell(row as u64 + 1, &record(&numbers), next, &mut Vec::new())
        })
        .collect()
    };
    let schema = [
        (
            "OST_INFO",
            2,
            "CREATE TABLE OST_INFO(OST_ID,OST_NAME,HOSTNAME)",
        ),
        (
            "TIMESTAMP_INFO",
            3,
            "CREATE TABLE TIMESTAMP_INFO(TS_ID,TIMESTAMP)",
        ),
        (
            "OST_DATA",
            4,
            "CREATE TABLE OST_DATA(OST_ID,TS_ID,READ_BYTES,WRITE_BYTES)",
        ),
    ];
    let tables: Vec<Vec<u8>> = (1..)
        .zip(schema)
        .map(|(row, (name, root, sql))| {
            let text = Field::Text;
            let fields = [
                text("table"),
                text(name),
                text(name),
                Field::Whole(root),
                text(sql),
            ];
            cell(row, &record(&fields), next, &mut overflow)
        })
        .collect();
    let mut header = b"SQLite format 3\0".to_vec();
    header.extend((PAGE as u16).to_be_bytes());
    header.extend([1, 1, 0, 64, 32, 32]);
    header.resize(100, 0);
    header[28..32].copy_from_slice(&(6 + overflow.len() as u32).to_be_bytes());
    header[47] = 4;
    header[59] = 1;
    let mut left = 5_u32.to_be_bytes().to_vec();
    left.extend(varint(8));
    let mut bytes = page(&tables, None, &header);
    bytes.extend(page(&of_names, None, &[]));
    bytes.extend(page(&times, None, &[]));
    bytes.extend(page(&[left], Some(6), &[]));
    bytes.extend(page(&data(0..8), None, &[]));
    bytes.extend(page(&data(8..16), None, &[]));
    bytes.extend(overflow.into_iter().flatten());
    bytes
}
