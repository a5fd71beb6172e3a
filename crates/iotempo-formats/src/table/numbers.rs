//! Numbers of a row, found without taking it apart: tables of samples have nothing else, and there
//! are thousands of tables with thousands of rows each.

use super::rows::Delimiter;

/// Which fields of a row are wanted as numbers.
pub(crate) struct Wanted {
    delimiter: u8,
    /// The place of each field among the numbers; `None` where it is not wanted.
    slots: Vec<Option<usize>>,
}

impl Wanted {
    /// The fields at `indices` of rows with `width` fields; `None` where spaces separate, which may
    /// come in any number.
    pub(crate) fn new(delimiter: Delimiter, width: usize, indices: &[usize]) -> Option<Self> {
        let Delimiter::Byte(delimiter) = delimiter else {
            return None;
        };
        let slots = (0..width).map(|field| indices.iter().position(|&index| index == field));
        Some(Self {
            delimiter,
            slots: slots.collect(),
        })
    }

    /// Finds the numbers of the first line of a text, and how long that is with its end. `None`
    /// where anything about it is not plain, or the text ends too soon to tell: then it must be
    /// taken apart, and may still be a good row.
    pub(crate) fn find(&self, text: &[u8], numbers: &mut [f64]) -> Option<usize> {
        let mut rest = text;
        let (last, others) = self.slots.split_last()?;
        for slot in others {
            rest = self.field(rest, *slot, numbers)?;
            rest = rest.strip_prefix(&[self.delimiter])?;
        }
        rest = self.field(rest, *last, numbers)?;
        rest = rest.strip_prefix(b"\r").unwrap_or(rest);
        rest = rest.strip_prefix(b"\n")?;
        Some(text.len() - rest.len())
    }

    /// What follows a field.
    fn field<'a>(
        &self,
        text: &'a [u8],
        slot: Option<usize>,
        numbers: &mut [f64],
    ) -> Option<&'a [u8]> {
        let Some(slot) = slot else {
            return self.skip(text);
        };
        let (number, rest) = decimal(text)?;
        numbers[slot] = number;
        Some(rest)
    }

    /// What follows a field that is not wanted. A quote ends it, too, and makes it another kind of
    /// field.
    fn skip<'a>(&self, mut text: &'a [u8]) -> Option<&'a [u8]> {
        let ends = [self.delimiter, b'"', b'\n'].map(|byte| u64::from(byte) * ALL);
        loop {
            let eight = u64::from_le_bytes(*text.first_chunk()?);
            // The high bit of every byte that is one of them, and perhaps of some behind it.
            let found = ends.iter().fold(0, |found, byte| {
                let equal = eight ^ byte;
                found | (equal.wrapping_sub(ALL) & !equal)
            });
            let count = (found & HIGH).trailing_zeros() as usize / 8;
            text = &text[count..];
            if count < 8 {
                return Some(text);
            }
        }
    }
}

/// One in each of eight bytes.
const ALL: u64 = 0x0101_0101_0101_0101;
/// The high bit of each.
const HIGH: u64 = ALL << 7;

/// Powers of ten that doubles hold exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// Below this, every whole number is a double of its own.
const EXACT: u64 = 1 << 53;

/// Digits that a `u64` holds, whatever they are.
const MOST_DIGITS: usize = 19;

/// A plain decimal number at the start of a text, and what follows it. Where the digits and the
/// power of ten are both exact, one division gives the nearest double (Clinger 1990).
pub(crate) fn decimal(text: &[u8]) -> Option<(f64, &[u8])> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let (whole, count, rest) = digits_of(digits, 0)?;
    let (mantissa, decimals, rest) = match rest.strip_prefix(b".") {
        Some(fraction) => digits_of(fraction, whole)?,
        None => (whole, 0, rest),
    };
    let count = count + decimals;
    if count == 0 {
        return None;
    }
    if count > MOST_DIGITS || mantissa > EXACT {
        let number = std::str::from_utf8(&text[..text.len() - rest.len()]).ok()?;
        let number = number
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite());
        return Some((number?, rest));
    }
    let number = match decimals {
        0 => mantissa as f64,
        _ => mantissa as f64 / POWERS[decimals],
    };
    let negative = digits.len() < text.len();
    Some((if negative { -number } else { number }, rest))
}

/// Adds digits to a number; how many, and what follows them. With too many digits the number is of
/// no use. `None` where the text may end before they do.
fn digits_of(mut text: &[u8], mut number: u64) -> Option<(u64, usize, &[u8])> {
    let mut all = 0;
    loop {
        let (digits, count) = leading_digits(u64::from_le_bytes(*text.first_chunk()?));
        number = number
            .wrapping_mul(WHOLE_POWERS[count])
            .wrapping_add(digits);
        text = &text[count..];
        all += count;
        if count < 8 {
            return Some((number, all, text));
        }
    }
}

/// Up to eight digits.
const WHOLE_POWERS: [u64; 9] = [
    1,
    10,
    100,
    1_000,
    10_000,
    100_000,
    1_000_000,
    10_000_000,
    100_000_000,
];

/// The digits that eight bytes begin with, the first in the lowest byte, and how many they are.
/// Neighbours are joined to numbers of two, four and eight digits (Lemire 2021).
fn leading_digits(bytes: u64) -> (u64, usize) {
    let values = bytes ^ (ALL * 0x30);
    // The high bit of every byte above 9: carried there, or there already.
    let others = (((values & !HIGH) + ALL * 0x76) | values) & HIGH;
    let count = (others.trailing_zeros() / 8) as usize;
    match count {
        0 => return (0, 0),
        1 => return (values & 0xFF, 1),
        _ => {}
    }
    // Behind as many zeros as are missing.
    let ones = values << (64 - 8 * count);
    let twos = (ones * 10 + (ones >> 8)) & 0x00FF_00FF_00FF_00FF;
    let fours = (twos * 100 + (twos >> 16)) & 0x0000_FFFF_0000_FFFF;
    ((fours * 10_000 + (fours >> 32)) & 0xFFFF_FFFF, count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What a text is, with other lines behind it.
    fn whole(text: &str) -> Option<f64> {
        let behind = "\n1,2,3,4,5\n";
        let text = format!("{text}{behind}");
        let (number, rest) = decimal(text.as_bytes())?;
        (rest == behind.as_bytes()).then_some(number)
    }

    #[test]
    fn plain_decimals_are_read() {
        for text in [
            "0",
            "-0.0",
            "12",
            "3.",
            ".5",
            "-7.25",
            "4787475985949.123456",
            "9007199254740993",
            "123456789012345678901234567890",
            "0.00000000000000000000000000001",
        ] {
            assert_eq!(
                whole(text).map(f64::to_bits),
                text.parse().ok().map(f64::to_bits),
                "{text}"
            );
        }
        for text in [
            "", "-", ".", "-.", "1e5", "+1", "nan", " 1", "1 ", "1_0", "--1", "1.2.3",
        ] {
            assert_eq!(whole(text), None, "{text}");
        }
    }

    #[test]
    fn rows_that_are_not_plain_are_left_to_others() {
        let wanted = Wanted::new(Delimiter::Byte(b','), 4, &[3, 0]).expect("commas");
        let find = |line: &str| {
            let mut numbers = [0.0; 2];
            let text = format!("{line}7,7,7,7\n7,7,7,7\n");
            let length = wanted.find(text.as_bytes(), &mut numbers)?;
            Some((numbers, length))
        };
        assert_eq!(find("1,x,,2.5\n"), Some(([2.5, 1.0], 9)));
        let long = "1,something longer than eight bytes,,-2.5\n";
        assert_eq!(find(long), Some(([-2.5, 1.0], long.len())));
        assert_eq!(
            wanted.find(b"1,x,,2.5\n", &mut [0.0; 2]),
            None,
            "too close to the end"
        );
        assert_eq!(find("1,x,,2.5\r\n"), Some(([2.5, 1.0], 10)));
        for line in [
            "\n",
            "1,x,2.5\n",
            "1,x\n,,2.5\n",
            "1,x,,2.5,\n",
            "1,\"x\",,2\n",
            "1,x,,\n",
            "1,x,,2 \n",
            "# 1,x,,2\n",
        ] {
            assert_eq!(find(line), None, "{line}");
        }
        assert!(Wanted::new(Delimiter::Whitespace, 2, &[0]).is_none());
        let first = Wanted::new(Delimiter::Byte(b';'), 2, &[0]).expect("semicolons");
        assert_eq!(first.find(b"1;rest\n2;other\n", &mut [0.0]), Some(7));
        assert_eq!(first.find(b"1;re;st\n2;other\n", &mut [0.0]), None);
    }

    #[test]
    fn digits_end_at_any_other_byte() {
        for count in 0..=8_usize {
            for other in 0..=u8::MAX {
                let mut bytes = *b"98765432";
                let expected: u64 = bytes[..count]
                    .iter()
                    .fold(0, |n, b| n * 10 + u64::from(b - b'0'));
                if let Some(byte) = bytes.get_mut(count) {
                    *byte = other;
                }
                let (digits, found) = leading_digits(u64::from_le_bytes(bytes));
                let joined = other.is_ascii_digit();
                assert!(
                    joined || (digits, found) == (expected, count),
                    "{count} {other}"
                );
            }
        }
    }

    proptest! {
        #[test]
        fn numbers_are_the_nearest_doubles(text in "-?[0-9]{0,21}\\.?[0-9]{0,24}") {
            let expected: Option<f64> = text.parse().ok();
            prop_assert_eq!(whole(&text).map(f64::to_bits), expected.map(f64::to_bits), "{}", text);
        }
    }
}
