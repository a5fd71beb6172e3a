//! An item that comes piece by piece: where it ends, found without looking at anything twice.

/// How much of an item was seen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unfinished {
    /// Bytes that were looked at, or need not be.
    at: usize,
    /// Values that are yet to come.
    open: u64,
}

impl Default for Unfinished {
    fn default() -> Self {
        Self { at: 0, open: 1 }
    }
}

impl Unfinished {
    /// Whether the item ends in these bytes, which begin as they did the last time; or whether it is none, which
    /// whoever reads it will say.
    pub(crate) fn ends_in(&mut self, bytes: &[u8]) -> bool {
        while self.open > 0 {
            let Some(rest) = bytes.get(self.at..).filter(|rest| !rest.is_empty()) else {
                return false;
            };
            match head(rest) {
                Head::Cut => return false,
                Head::None => return true,
                Head::Value { bytes, within } => {
                    self.at = self.at.saturating_add(bytes);
                    self.open = (self.open - 1).saturating_add(within);
                }
            }
        }
        self.at <= bytes.len()
    }
}

/// The beginning of a value.
enum Head {
    /// How many bytes it has before those of the values within, and how many of those there are.
    Value { bytes: usize, within: u64 },
    /// It is not all there.
    Cut,
    /// No value begins so.
    None,
}

fn head(bytes: &[u8]) -> Head {
    let plain = |bytes| Head::Value { bytes, within: 0 };
    // A length of so many bytes behind the first.
    let length = |size: usize| {
        let digits = bytes.get(1..=size)?;
        let length = digits
            .iter()
            .fold(0, |sum, byte| sum << 8 | u64::from(*byte));
        Some(length)
    };
    let counted = |size: usize, more: usize| match length(size) {
        Some(length) => {
            let length = usize::try_from(length).unwrap_or(usize::MAX);
            plain(length.saturating_add(1 + size + more))
        }
        None => Head::Cut,
    };
    let several = |size: usize, times: u64| match length(size) {
        Some(length) => Head::Value {
            bytes: 1 + size,
            within: length.saturating_mul(times),
        },
        None => Head::Cut,
    };
    let few = |count: u8, times| Head::Value {
        bytes: 1,
        within: u64::from(count) * times,
    };
    let Some(&first) = bytes.first() else {
        return Head::Cut;
    };
    match first {
        0x00..=0x7f | 0xe0..=0xff | 0xc0 | 0xc2 | 0xc3 => plain(1),
        0x80..=0x8f => few(first & 0x0f, 2),
        0x90..=0x9f => few(first & 0x0f, 1),
        0xa0..=0xbf => plain(1 + usize::from(first & 0x1f)),
        0xc1 => Head::None,
        0xc4..=0xc6 => counted(1 << (first - 0xc4), 0),
        0xc7..=0xc9 => counted(1 << (first - 0xc7), 1),
        0xca | 0xcb => plain(1 + (4 << (first - 0xca))),
        0xcc..=0xcf => plain(1 + (1 << (first - 0xcc))),
        0xd0..=0xd3 => plain(1 + (1 << (first - 0xd0))),
        0xd4..=0xd8 => plain(2 + (1 << (first - 0xd4))),
        0xd9..=0xdb => counted(1 << (first - 0xd9), 0),
        0xdc | 0xdd => several(2 << (first - 0xdc), 1),
        0xde | 0xdf => several(2 << (first - 0xde), 2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::msgpack::whole_items;

    #[test]
    fn an_item_ends_where_the_reader_says() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../testdata/small/tmio.msgpack"
        );
        let flushes = std::fs::read(path).expect("a fixture");
        let values: [&[u8]; 9] = [
            b"\x05",
            b"\xd9\x03abc",
            b"\xda\0\x01a",
            b"\x82\xa1a\x01\xa1b\x92\xc0\xc3",
            b"\xde\0\x01\xa1a\xcb\0\0\0\0\0\0\0\0",
            b"\xdc\0\x02\xcd\0\x01\xd3\0\0\0\0\0\0\0\0",
            b"\xc4\x02ab",
            b"\xc7\x01\x05a",
            b"\xd6\x01abcd",
        ];
        for bytes in values.into_iter().chain([&flushes[..]]) {
            let end = whole_items(bytes, &Limits::default()).expect("sound")[0];
            let mut item = Unfinished::default();
            let found = (1..=bytes.len()).find(|length| item.ends_in(&bytes[..*length]));
            assert_eq!(found, Some(end), "{:x?}", &bytes[..bytes.len().min(20)]);
        }
    }

    #[test]
    fn what_is_no_item_is_left_to_the_reader() {
        assert!(Unfinished::default().ends_in(b"\x92\x01\xc1"));
        assert!(!Unfinished::default().ends_in(b"\x92\x01"));
    }
}
