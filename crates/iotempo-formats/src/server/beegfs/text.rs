//! Blocks, tables and items as BeeGFS' tools print them.

use super::super::quantity::Quantity;
use super::number;
use crate::table::units::{Dimension, scale};
use iotempo_model::{Op, TargetKind};

/// Where a block begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Block {
    /// How long the command had run.
    pub(super) elapsed_s: f64,
    /// Whether it is one of version 8.
    pub(super) is_new: bool,
}

/// `====== 12 s ======`, or `------- 12s -------`.
pub(super) fn block(line: &str) -> Option<Block> {
    let first = line.chars().next().filter(|c| ['=', '-'].contains(c))?;
    let is_new = first == '-';
    let text = line.trim_matches(first);
    let strokes = line.len() - text.len();
    let elapsed_s = match is_new {
        true => duration(text.trim())?,
        false => text.trim().strip_suffix(" s")?.trim().parse().ok()?,
    };
    let possible = strokes >= 6 && (0.0..1e10).contains(&elapsed_s);
    possible.then_some(Block { elapsed_s, is_new })
}

/// `90s`, `1m30s`, `500ms`.
fn duration(text: &str) -> Option<f64> {
    let mut rest = text;
    let mut sum = 0.0;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !(c.is_ascii_digit() || c == '.'))?;
        let (value, behind) = rest.split_at(digits);
        let unit = behind
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(behind.len());
        let (unit, behind) = behind.split_at(unit);
        let seconds = match unit {
            "h" => 3600.0,
            "m" => 60.0,
            "s" => 1.0,
            "ms" => 1e-3,
            _ => return None,
        };
        sum += value.parse::<f64>().ok()? * seconds;
        rest = behind;
    }
    (!text.is_empty()).then_some(sum)
}

/// Whether a line may stand below the first line of a block.
pub(super) fn fits(block: &Block, line: &str) -> bool {
    let is_item = line.contains(" [") && line.ends_with(']');
    let is_heading = block.is_new && Heading::of(line, Quantity::Bytes).is_some();
    is_item || is_heading || self::block(line).is_some()
}

/// The columns of a table of version 8.
pub(super) struct Heading {
    pub(super) width: usize,
    /// Of what is asked for, read and written.
    pub(super) columns: [Option<usize>; 2],
    pub(super) kind: TargetKind,
}

impl Heading {
    pub(super) fn of(line: &str, quantity: Quantity) -> Option<Self> {
        let names: Vec<String> = cells(line).iter().map(|name| name.to_lowercase()).collect();
        let place = |wanted: &str| names.iter().position(|name| name == wanted);
        let kind = match names.first()?.as_str() {
            "user" | "uid" => TargetKind::User,
            "client" | "node" | "ip" | "host" => TargetKind::Client,
            _ => return None,
        };
        place("sum")?;
        Some(Self {
            width: names.len(),
            columns: quantity.pick(["rd", "wr"], ["ops-rd", "ops-wr"]).map(place),
            kind,
        })
    }
}

/// Words of a row; bars between them are none, and a unit belongs to the number before it.
pub(super) fn cells(line: &str) -> Vec<String> {
    let mut cells: Vec<String> = Vec::new();
    for word in line.split(|c: char| c.is_whitespace() || matches!(c, '|' | '│')) {
        let is_unit = word.len() > 1 && scale(Dimension::Size, word).is_some();
        match cells.last_mut() {
            _ if word.is_empty() => {}
            Some(last) if is_unit && number(last).is_some() => last.push_str(word),
            _ => cells.push(word.to_owned()),
        }
    }
    cells
}

/// A volume such as `12MiB`, `7 KiB`, `512B` or `4096`; whether it is rounded to its unit.
pub(super) fn volume(text: &str) -> Option<(f64, bool)> {
    let digits = text.find(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'e' | 'E'));
    let (value, unit) = text.split_at(digits.unwrap_or(text.len()));
    let value = number(value.trim())?;
    match unit.trim() {
        "" | "B" => Some((value, false)),
        unit => Some((scale(Dimension::Size, unit)?.apply(value), true)),
    }
}

/// What one item of a line is: `1024 [MiB-wr/s]`, or `2048 [ops-wr]`.
pub(super) fn item(
    value: &str,
    name: &str,
    length: f64,
    quantity: Quantity,
) -> Option<(Op, Option<(f64, bool)>)> {
    let (name, seconds) = match name.strip_suffix("/s") {
        Some(name) => (name, length),
        None => (name, 1.0),
    };
    let (unit, way) = name.split_once('-').unwrap_or(("", name));
    let op = match way {
        "rd" => Op::Read,
        "wr" => Op::Write,
        _ => return None,
    };
    let volume = match (unit, quantity) {
        ("ops", Quantity::Operations) => number(value).map(|value| (value, false)),
        (_, Quantity::Operations) => return None,
        ("", _) => volume(value),
        (unit, _) => {
            let unit = scale(Dimension::Size, unit)?;
            number(value).map(|value| (unit.apply(value), false))
        }
    };
    Some((
        op,
        volume.map(|(bytes, rounded)| (bytes * seconds, rounded)),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_begin_with_how_long_the_command_ran() {
        let elapsed = |line| block(line).map(|block| block.elapsed_s);
        assert_eq!(elapsed("====== 12 s ======"), Some(12.0));
        assert_eq!(elapsed("------- 1m30s -------"), Some(90.0));
        assert_eq!(elapsed("---- 500ms ----"), Some(0.5));
        for line in [
            "",
            "======",
            "== 3 s ==",
            "====== 3 m ======",
            "--------",
            "====== -3 s ======",
        ] {
            assert_eq!(elapsed(line), None, "{line}");
        }
    }

    #[test]
    fn volumes_of_version_8_have_units_or_none() {
        assert_eq!(volume("12MiB"), Some((12.0 * 1_048_576.0, true)));
        assert_eq!(volume("4096"), Some((4096.0, false)));
        assert_eq!(volume("1e3"), Some((1000.0, false)));
        assert_eq!(volume("7 KiB"), Some((7168.0, true)));
        assert_eq!(volume("x"), None);
        assert_eq!(cells("1001 | 5 |  3 MiB"), ["1001", "5", "3MiB"]);
    }
}
