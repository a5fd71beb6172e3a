//! Numbers and names at fixed places.

/// The four bytes at `at`; zero beyond the end.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    array_at(bytes, at).map_or(0, u32::from_le_bytes)
}

/// The eight bytes at `at`; zero beyond the end.
pub(super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    array_at(bytes, at).map_or(0, u64::from_le_bytes)
}

fn array_at<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}

/// The name in the `len` bytes at `at`, which ends at the first zero byte.
pub(super) fn name_at(bytes: &[u8], at: usize, len: usize) -> String {
    let field = bytes.get(at..at + len).unwrap_or_default();
    let name = field.split(|&byte| byte == 0).next().unwrap_or_default();
    String::from_utf8_lossy(name).into_owned()
}
