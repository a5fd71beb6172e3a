//! From text to steps, in one pass and without a tree between.

use super::class::Class;
use super::program::{Full, MOST_STEPS, Program, Step};
use core::fmt;

/// Groups within groups.
const DEEPEST: u32 = 32;

/// Why a text is no pattern, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PatternError {
    /// Which byte of the text is wrong, from 0; the length of the text where it is its end.
    pub at: usize,
    /// The letter there.
    letter: Option<char>,
    what: &'static str,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.letter {
            Some(letter) => write!(f, "at byte {}, `{letter}`: {}", self.at + 1, self.what),
            None => write!(f, "at its end: {}", self.what),
        }
    }
}

impl core::error::Error for PatternError {}

pub(super) fn compile(text: &str) -> Result<Program, PatternError> {
    let mut parser = Parser {
        text,
        at: 0,
        depth: 0,
        program: Program::new(),
    };
    parser.alternatives()?;
    match parser.peek() {
        None => Ok(parser.program),
        Some(_) => Err(parser.wrong("no group begins before it")),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
    program: Program,
}

type Parsed<T = ()> = Result<T, PatternError>;

impl Parser<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += letter.len_utf8();
        Some(letter)
    }

    fn take(&mut self, wanted: &str) -> bool {
        let found = self.rest().starts_with(wanted);
        if found {
            self.at += wanted.len();
        }
        found
    }

    fn wrong(&self, what: &'static str) -> PatternError {
        self.wrong_at(self.at, what)
    }

    fn wrong_at(&self, at: usize, what: &'static str) -> PatternError {
        let letter = self.text.get(at..).and_then(|rest| rest.chars().next());
        PatternError { at, letter, what }
    }

    fn fits<T>(&self, result: Result<T, Full>) -> Parsed<T> {
        result.map_err(|Full| self.wrong("the pattern has become too large here"))
    }

    fn push(&mut self, step: Step) -> Parsed {
        let pushed = self.program.push(step);
        self.fits(pushed)
    }

    fn push_class(&mut self, class: Class) -> Parsed {
        let pushed = self.program.push_class(class);
        self.fits(pushed)
    }

    fn insert(&mut self, at: usize, step: Step) -> Parsed {
        let inserted = self.program.insert(at, step);
        self.fits(inserted)
    }

    /// `a|b|c`: a fork before each but the last, and behind it a jump to the next such jump.
    fn alternatives(&mut self) -> Parsed {
        let mut last_jump = None;
        loop {
            let start = self.program.len();
            self.sequence()?;
            let more = self.take("|");
            if more {
                let past = self.program.len() - start + 2;
                self.insert(start, Step::Fork(far(past)))?;
            }
            let end = self.program.len();
            if let Some(jump) = last_jump.replace(end) {
                self.program.replace(jump, Step::Jump(far(end - jump)));
            }
            if !more {
                return Ok(());
            }
            self.push(Step::Jump(0))?;
        }
    }

    fn deeper(&mut self, parse: impl FnOnce(&mut Self) -> Parsed) -> Parsed {
        if self.depth == DEEPEST {
            return Err(self.wrong("nested too deeply"));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    fn sequence(&mut self) -> Parsed {
        while let Some(letter) = self.peek() {
            if matches!(letter, '|' | ')') {
                break;
            }
            let start = self.program.len();
            self.atom()?;
            self.repetitions(start)?;
        }
        Ok(())
    }

    fn atom(&mut self) -> Parsed {
        let at = self.at;
        match self.next() {
            Some('(') => self.group(at),
            Some('[') => self.bracket(at),
            Some('.') => self.push_class(Class::any()),
            Some('^') => self.push(Step::Start),
            Some('$') => self.push(Step::End),
            Some('\\') => match self.escape(at)? {
                Item::Byte(byte) => self.push(Step::Byte(byte)),
                Item::Class(class) => self.push_class(class),
            },
            Some('*' | '+' | '?' | '{') => Err(self.wrong_at(at, "nothing before it to repeat")),
            Some(letter) => self.literal(letter),
            None => Ok(()),
        }
    }

    /// The bytes of a letter are repeated together.
    fn literal(&mut self, letter: char) -> Parsed {
        let mut bytes = [0; 4];
        let bytes = letter.encode_utf8(&mut bytes).as_bytes();
        bytes
            .iter()
            .try_for_each(|byte| self.push(Step::Byte(*byte)))
    }

    fn group(&mut self, opened: usize) -> Parsed {
        if !self.take("?:") && self.peek() == Some('?') {
            return Err(self.wrong("of the groups with a question mark only (?: ) is known"));
        }
        self.deeper(Self::alternatives)?;
        match self.take(")") {
            true => Ok(()),
            false => Err(self.wrong_at(opened, "the group does not end")),
        }
    }

    /// Any number of `*`, `+`, `?`, `{m,n}` behind what has been compiled from `start` on.
    fn repetitions(&mut self, start: usize) -> Parsed {
        loop {
            let length = self.program.len() - start;
            match self.peek() {
                Some('*') => self.any_number(start, length)?,
                Some('+') => self.push(Step::Fork(-far(length)))?,
                Some('?') => self.insert(start, Step::Fork(far(length + 1)))?,
                Some('{') => {
                    self.counted(start)?;
                    self.take("?");
                    continue;
                }
                _ => return Ok(()),
            }
            self.next();
            // `*?` takes as little as it can: whether there is a match is the same.
            self.take("?");
        }
    }

    fn any_number(&mut self, start: usize, length: usize) -> Parsed {
        self.insert(start, Step::Fork(far(length + 2)))?;
        self.push(Step::Jump(-far(length + 1)))
    }

    /// `x{2,4}` is `xxx?x?`.
    fn counted(&mut self, start: usize) -> Parsed {
        let opened = self.at;
        let (least, most) = self.bounds()?;
        let end = self.program.len();
        let length = end - start;
        for _ in 1..least {
            self.again(start, end)?;
        }
        match most {
            None if least == 0 => self.any_number(start, length),
            None => self.push(Step::Fork(-far(length))),
            Some(most) if most < least => Err(self.wrong_at(opened, "from more to fewer")),
            Some(0) => {
                self.program.cut(start);
                Ok(())
            }
            Some(most) => self.optional(start, end, least, most),
        }
    }

    fn optional(&mut self, start: usize, end: usize, least: u16, most: u16) -> Parsed {
        let length = end - start;
        for _ in least.max(1)..most {
            self.push(Step::Fork(far(length + 1)))?;
            self.again(start, end)?;
        }
        match least {
            0 => self.insert(start, Step::Fork(far(length + 1))),
            _ => Ok(()),
        }
    }

    fn again(&mut self, from: usize, to: usize) -> Parsed {
        let repeated = self.program.repeat(from, to);
        self.fits(repeated)
    }

    /// `{m}`, `{m,}` and `{m,n}`.
    fn bounds(&mut self) -> Parsed<(u16, Option<u16>)> {
        self.take("{");
        let least = self.number()?;
        let most = match self.take(",") {
            false => Some(least),
            true if self.peek() == Some('}') => None,
            true => Some(self.number()?),
        };
        match self.take("}") {
            true => Ok((least, most)),
            false => Err(self.wrong("a number of times is {m}, {m,} or {m,n}")),
        }
    }

    fn number(&mut self) -> Parsed<u16> {
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let text = self.rest().get(..digits).unwrap_or_default();
        let number = text.parse().ok().filter(|n| usize::from(*n) <= MOST_STEPS);
        let number = number.ok_or_else(|| self.wrong("a number of times up to 1024"))?;
        self.at += digits;
        Ok(number)
    }

    /// `[a-z]`, `[^a-z]`; a `]` that comes first is one of the set.
    fn bracket(&mut self, opened: usize) -> Parsed {
        let inverse = self.take("^");
        let mut class = Class::default();
        let mut first = true;
        while first || self.peek() != Some(']') {
            first = false;
            class = class.and(self.member(opened)?);
        }
        self.take("]");
        self.push_class(if inverse { class.inverse() } else { class })
    }

    /// One byte of a set, a range of them, or a class such as `\d`.
    fn member(&mut self, opened: usize) -> Parsed<Class> {
        let at = self.at;
        let low = match self.item(opened)? {
            Item::Class(class) => return Ok(class),
            Item::Byte(byte) => byte,
        };
        let ends = self.rest().strip_prefix('-');
        if ends.is_none_or(|rest| rest.is_empty() || rest.starts_with(']')) {
            return Ok(Class::default().with(low, low));
        }
        self.take("-");
        match self.item(opened)? {
            Item::Byte(high) if low <= high => Ok(Class::default().with(low, high)),
            _ => Err(self.wrong_at(at, "no range: its end comes before its start")),
        }
    }

    fn item(&mut self, opened: usize) -> Parsed<Item> {
        let at = self.at;
        match self.next() {
            None => Err(self.wrong_at(opened, "the set does not end")),
            Some('\\') => self.escape(at),
            Some('[') => Err(self.wrong_at(at, r"within a set, write \[")),
            Some(letter) if letter.is_ascii() => Ok(Item::Byte(letter as u8)),
            Some(_) => Err(self.wrong_at(at, "a set holds bytes: write (a|b) for such letters")),
        }
    }

    fn escape(&mut self, at: usize) -> Parsed<Item> {
        let unknown = self.wrong_at(at, "no escape that is known");
        let letter = self.next().ok_or(unknown)?;
        let byte = match letter {
            'n' => b'\n',
            't' => b'\t',
            'r' => b'\r',
            'f' => 0x0c,
            'v' => 0x0b,
            'x' => self.hexadecimal(at)?,
            letter if letter.is_ascii_punctuation() || letter == ' ' => letter as u8,
            letter if letter.is_ascii() => {
                let class = Class::named(letter as u8).ok_or(unknown)?;
                return Ok(Item::Class(class));
            }
            _ => return Err(unknown),
        };
        Ok(Item::Byte(byte))
    }

    fn hexadecimal(&mut self, at: usize) -> Parsed<u8> {
        let digits = self.rest().get(..2);
        let digits = digits.filter(|two| two.bytes().all(|b| b.is_ascii_hexdigit()));
        let byte = digits.and_then(|two| u8::from_str_radix(two, 16).ok());
        let byte = byte.ok_or_else(|| self.wrong_at(at, r"two digits belong behind \x"))?;
        self.at += 2;
        Ok(byte)
    }
}

/// What stands for one byte.
enum Item {
    Byte(u8),
    Class(Class),
}

/// No stretch is longer than the program.
fn far(steps: usize) -> i16 {
    steps as i16
}
