//! Numbers of a row, found without taking it apart: tables of samples have nothing else, and there
//! are thousands of tables with thousands of rows each.

use super::rows::Delimiter;

/// Which fields of a row are wanted as numbers.
pub(super) struct Wanted {
    delimiter: u8,
    /// The place of each field among the numbers; `None` where it is not wanted.
    slots: Vec<Option<usize>>,
}

impl Wanted {
    /// The fields at `indices` of rows with `width` fields; `None` where spaces separate, which may
    /// come in any number.
    pub(super) fn new(delimiter: Delimiter, width: usize, indices: &[usize]) -> Option<Self> {
        let Delimiter::Byte(delimiter) = delimiter else {
            return None;
        };
        let slots = (0..width).map(|field| indices.iter().position(|&index| index == field));
        Some(Self {
            delimiter,
            slots: slots.collect(),
        })
    }

    /// Finds the numbers of a line; `false` where anything about it is not plain: then it must be
    /// taken apart, and may still be a good row.
    pub(super) fn find(&self, line: &[u8], numbers: &mut [f64]) -> bool {
        let mut rest = line;
        for (index, slot) in self.slots.iter().enumerate() {
            rest = match slot {
                Some(slot) => {
                    let Some((number, after)) = decimal(rest) else {
                        return false;
                    };
                    numbers[*slot] = number;
                    after
                }
                None => self.skip(rest),
            };
            let more = index + 1 < self.slots.len();
            match rest.split_first() {
                Some((&byte, after)) if more && byte == self.delimiter => rest = after,
                None if !more => return true,
                _ => return false,
            }
        }
        false
    }

    /// What follows a field; a quote stops it, too.
    fn skip<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        let ends = |byte: &u8| *byte == self.delimiter || *byte == b'"';
        let end = text.iter().position(ends).unwrap_or(text.len());
        &text[end..]
    }
}

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
fn decimal(text: &[u8]) -> Option<(f64, &[u8])> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let (whole, after) = digits_of(digits, 0);
    let (mantissa, rest) = match after.strip_prefix(b".") {
        Some(fraction) => digits_of(fraction, whole),
        None => (whole, after),
    };
    let (count, decimals) = match after.len() - rest.len() {
        0 => (digits.len() - after.len(), 0),
        // The point is no digit.
        length => (digits.len() - rest.len() - 1, length - 1),
    };
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
    let number = mantissa as f64 / POWERS[decimals];
    let negative = digits.len() < text.len();
    Some((if negative { -number } else { number }, rest))
}

/// Adds digits to a number; what follows them. With too many digits the number is of no use.
fn digits_of(text: &[u8], mut number: u64) -> (u64, &[u8]) {
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        number = number.wrapping_mul(10).wrapping_add(u64::from(digit));
        rest = after;
    }
    (number, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn whole(text: &str) -> Option<f64> {
        let (number, rest) = decimal(text.as_bytes())?;
        rest.is_empty().then_some(number)
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
            wanted
                .find(line.as_bytes(), &mut numbers)
                .then_some(numbers)
        };
        assert_eq!(find("1,x,,2.5"), Some([2.5, 1.0]));
        for line in [
            "",
            "1,x,2.5",
            "1,x,,2.5,",
            "1,\"x\",,2",
            "1,x,,",
            "1,x,,2 ",
            "# 1,x,,2",
        ] {
            assert_eq!(find(line), None, "{line}");
        }
        assert!(Wanted::new(Delimiter::Whitespace, 2, &[0]).is_none());
        let first = Wanted::new(Delimiter::Byte(b';'), 2, &[0]).expect("semicolons");
        assert!(first.find(b"1;rest", &mut [0.0]));
        assert!(!first.find(b"1;re;st", &mut [0.0]));
    }

    proptest! {
        #[test]
        fn numbers_are_the_nearest_doubles(text in "-?[0-9]{0,21}\\.?[0-9]{0,24}") {
            let expected: Option<f64> = text.parse().ok();
            prop_assert_eq!(whole(&text).map(f64::to_bits), expected.map(f64::to_bits), "{}", text);
        }
    }
}
