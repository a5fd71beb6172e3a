//! Sizes with their units.

/// Bytes of a unit such as `kib`, `MB`, `bytes`; `None` for other words. IOR's `k`, `m` and `g` are of
/// 1024 bytes, and so are its `KiB`; `kB` is of 1000.
pub(super) fn unit(word: &str) -> Option<f64> {
    const UNITS: [(&[&str], f64); 10] = [
        (&["b", "byte", "bytes"], 1.0),
        (&["kib", "k"], 1024.0),
        (&["mib", "m"], 1_048_576.0),
        (&["gib", "g"], 1_073_741_824.0),
        (&["tib", "t"], 1_099_511_627_776.0),
        (&["pib", "p"], 1_125_899_906_842_624.0),
        (&["kb"], 1e3),
        (&["mb"], 1e6),
        (&["gb"], 1e9),
        (&["tb"], 1e12),
    ];
    let word = word.trim().to_ascii_lowercase();
    let found = UNITS
        .iter()
        .find(|(names, _)| names.contains(&word.as_str()));
    found.map(|(_, size)| *size)
}

/// Bytes of a text such as `1 MiB`, `262144 bytes`, `2m` or `47008`.
pub(super) fn bytes(text: &str) -> Option<f64> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.'));
    let (number, word) = text.split_at(end.unwrap_or(text.len()));
    let number: f64 = number.parse().ok()?;
    let size = match word.trim() {
        "" => 1.0,
        word => unit(word)?,
    };
    Some(number * size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_ior_writes_them() {
        let cases = [
            ("1 MiB", Some(1_048_576.0)),
            ("262144 bytes", Some(262_144.0)),
            ("2m", Some(2_097_152.0)),
            ("47008", Some(47_008.0)),
            ("1.50 GiB", Some(1_610_612_736.0)),
            ("3 MB", Some(3e6)),
            ("3 parsecs", None),
            ("", None),
            ("MiB", None),
        ];
        for (text, expected) in cases {
            assert_eq!(bytes(text), expected, "{text}");
        }
    }
}
