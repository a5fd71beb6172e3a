//! Numbers and text as bytes of a record.

use super::super::bytes::ByteOrder;

/// Bytes of a record under construction.
#[derive(Debug)]
pub(super) struct Put {
    pub(super) bytes: Vec<u8>,
    order: ByteOrder,
}

impl Put {
    pub(super) fn new(order: ByteOrder) -> Self {
        Self {
            bytes: Vec::new(),
            order,
        }
    }

    pub(super) fn u32(&mut self, value: u32) {
        self.bytes.extend(match self.order {
            ByteOrder::Little => value.to_le_bytes(),
            ByteOrder::Big => value.to_be_bytes(),
        });
    }

    pub(super) fn u64(&mut self, value: u64) {
        self.bytes.extend(match self.order {
            ByteOrder::Little => value.to_le_bytes(),
            ByteOrder::Big => value.to_be_bytes(),
        });
    }

    pub(super) fn i64(&mut self, value: i64) {
        self.u64(value as u64);
    }

    pub(super) fn f64(&mut self, value: f64) {
        self.u64(value.to_bits());
    }

    pub(super) fn i64s(&mut self, values: &[i64]) {
        values.iter().for_each(|&value| self.i64(value));
    }

    pub(super) fn f64s(&mut self, values: &[f64]) {
        values.iter().for_each(|&value| self.f64(value));
    }

    pub(super) fn zeros(&mut self, count: usize) {
        self.bytes.resize(self.bytes.len() + count, 0);
    }

    /// Text in a field of `width` bytes, cut to it and padded with NULs. Like Darshan's own fields
    /// it may fill the field to its end.
    pub(super) fn text(&mut self, text: &str, width: usize) {
        let text = &text.as_bytes()[..text.len().min(width)];
        self.bytes.extend_from_slice(text);
        self.zeros(width - text.len());
    }
}
