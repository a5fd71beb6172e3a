//! Bytes that come piece by piece.

use super::batch::Batch;
use super::tally::Tally;
use crate::detect::{Format, detect_with};
use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use crate::reading::{ReadOptions, Reading};
use crate::{json, msgpack, table};
use iotempo_model::{RequestSink, Warning};

/// With so many bytes, a beginning that nothing is known to begin with is all there.
const BEGINNING: usize = 64 << 10;
/// A line or item longer than this is none.
const LONGEST: usize = 256 << 20;

/// JSON lines, MessagePack or a table that comes piece by piece, from wherever.
///
/// What is whole is read; the rest waits for its end. Once it is clear that nothing can be read, nothing
/// is kept of what comes.
#[derive(Debug)]
pub struct Pieces {
    options: ReadOptions,
    /// What came but is not whole yet.
    rest: Vec<u8>,
    /// Bytes of that in which no line ends.
    scanned: usize,
    /// The same of items, which end where those within them have.
    unfinished: msgpack::Unfinished,
    kind: Option<Kind>,
    /// Why nothing more can be read, whatever comes.
    hopeless: Option<String>,
    longest: usize,
    /// Lines or items that came before those that wait.
    before: u64,
    /// Whether something of it could be read.
    proven: bool,
    tally: Tally,
}

/// How bytes are cut into what can be read by itself.
#[derive(Debug)]
enum Kind {
    /// Lines, each a request.
    Lines,
    /// Lines, each a part of what was gathered since the flush before.
    Flushes,
    /// The same in MessagePack.
    Items,
    /// A table, with its heading.
    Rows(Vec<u8>),
}

impl Pieces {
    /// Nothing has come yet.
    #[must_use]
    pub fn new(options: ReadOptions) -> Self {
        Self {
            options,
            rest: Vec::new(),
            scanned: 0,
            unfinished: msgpack::Unfinished::default(),
            kind: None,
            hopeless: None,
            longest: LONGEST,
            before: 0,
            proven: false,
            tally: Tally::default(),
        }
    }

    /// Takes in what came; [`read`](Self::read) looks at it.
    pub fn feed(&mut self, bytes: &[u8]) {
        if self.hopeless.is_none() {
            self.rest.extend_from_slice(bytes);
        }
    }

    /// Bytes that wait for the rest of their line or item.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.rest.len()
    }

    /// Whether nothing more can be read, whatever comes.
    #[must_use]
    pub fn is_hopeless(&self) -> bool {
        self.hopeless.is_some()
    }

    /// Whether its writer gathers requests and writes them after a phase.
    #[must_use]
    pub fn come_in_flushes(&self) -> bool {
        matches!(self.kind, Some(Kind::Flushes | Kind::Items))
    }

    /// What is wrong with what came, since this was last asked: each kind of trouble once, and again when it is
    /// much more.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        self.tally.take()
    }

    /// The same when no more will come: all that was not told.
    pub fn take_last_warnings(&mut self) -> Vec<Warning> {
        self.tally.take_all()
    }

    /// Nothing more will come: a line that waits for its end has it. Bytes that are lost, because an item has none.
    pub fn finish(&mut self) -> usize {
        let lines = !matches!(self.kind, None | Some(Kind::Items));
        if lines && self.rest.last().is_some_and(|last| *last != b'\n') {
            self.rest.push(b'\n');
        }
        if lines { 0 } else { self.rest.len() }
    }

    /// Pushes the requests of all that is whole into `sink`; `None` where nothing is. A line or item that is damaged
    /// costs nothing but itself, and becomes a [warning](Self::take_warnings).
    ///
    /// # Errors
    /// Where the bytes are of a format that does not grow, or nothing that is known, or a line or item does not end.
    pub fn read(&mut self, sink: &mut dyn RequestSink) -> Result<Option<Reading>, Error> {
        if let Some(reason) = &self.hopeless {
            let kind = ErrorKind::Unsupported(reason.clone());
            return Err(Error::new("", Place::Whole, kind));
        }
        if let Err(error) = self.judge() {
            // A few lines more may make sense of it.
            let final_word = self.rest.len() >= BEGINNING;
            return Err(if final_word {
                self.give_up(error)
            } else {
                error
            });
        }
        let ends = match self.ends() {
            Ok(ends) if ends.is_empty() && self.rest.len() > self.longest => {
                let message = format!("a line or item of more than {} MiB", self.longest >> 20);
                let kind = ErrorKind::Unsupported(message);
                return Err(self.give_up(Error::new("", Place::Whole, kind)));
            }
            Ok(ends) => ends,
            Err(error) => return Err(self.give_up(error)),
        };
        match ends.last() {
            Some(whole) => self.read_batch(*whole, &ends, sink),
            None => Ok(None),
        }
    }

    fn read_batch(
        &mut self,
        whole: usize,
        ends: &[usize],
        sink: &mut dyn RequestSink,
    ) -> Result<Option<Reading>, Error> {
        // Of many who send, each would keep the room that it once needed.
        let rest = self.rest.split_off(whole);
        let bytes = std::mem::replace(&mut self.rest, rest);
        let mut read = self.read_lines(&bytes, ends, sink);
        if read.is_err() && !self.proven && matches!(self.kind, Some(Kind::Flushes)) {
            // Requests whose first is damaged look like any JSON.
            self.tally = Tally::default();
            self.kind = Some(Kind::Lines);
            let again = self.read_lines(&bytes, ends, sink);
            if again.is_ok() {
                read = again;
            } else {
                self.tally = Tally::default();
                self.kind = Some(Kind::Flushes);
            }
        }
        self.before += ends.len() as u64;
        match read {
            // It is what it seemed to be, and what follows may be better.
            Err(error) if self.proven && !matches!(error.kind, ErrorKind::Io(_)) => Ok(None),
            read => {
                self.proven |= read.is_ok();
                read
            }
        }
    }

    fn read_lines(
        &mut self,
        bytes: &[u8],
        ends: &[usize],
        sink: &mut dyn RequestSink,
    ) -> Result<Option<Reading>, Error> {
        let (kind, options) = (&self.kind, &self.options);
        let read = |bytes: &[u8], sink: &mut dyn RequestSink| read_as(kind, bytes, options, sink);
        let noun = match kind {
            Some(Kind::Items) => "item",
            _ => "line",
        };
        let place = (noun, self.before + 1);
        Batch::new((bytes, ends), place, &read, sink, &mut self.tally).all()
    }

    /// Nothing that comes after this can be read.
    fn give_up(&mut self, error: Error) -> Error {
        (self.rest, self.scanned) = (Vec::new(), 0);
        self.hopeless = Some(error.to_string());
        error
    }

    /// Finds out what it is, once its beginning is there.
    fn judge(&mut self) -> Result<(), Error> {
        if self.kind.is_some() {
            return Ok(());
        }
        self.drop_blank_lines();
        if self.rest.trim_ascii_start().is_empty() {
            return Ok(());
        }
        self.kind = match detect_with(&self.rest, &self.options) {
            Ok(Format::Json) => Some(Kind::Flushes),
            Ok(Format::RequestLines) => Some(Kind::Lines),
            Ok(Format::MessagePack) => Some(Kind::Items),
            Ok(Format::Table) => self.first_line().map(Kind::Rows),
            Ok(format) => return Err(does_not_grow(format)),
            // The beginning may not be there yet.
            Err(_) if self.rest.len() < 4096 && !self.rest.contains(&b'\n') => None,
            Err(error) => return Err(error),
        };
        // A heading or a request that is known leaves no doubt; any JSON may be a flush.
        self.proven = matches!(self.kind, Some(Kind::Lines | Kind::Rows(_)));
        Ok(())
    }

    /// Lines before the beginning say nothing of what it is.
    fn drop_blank_lines(&mut self) {
        let blank = self.rest.len() - self.rest.trim_ascii_start().len();
        let Some(last) = memchr::memrchr(b'\n', &self.rest[..blank]) else {
            return;
        };
        let lines = self.rest.drain(..=last).filter(|byte| *byte == b'\n');
        self.before += lines.count() as u64;
    }

    fn first_line(&mut self) -> Option<Vec<u8>> {
        let end = self.rest.iter().position(|byte| *byte == b'\n')?;
        self.before += 1;
        Some(self.rest.drain(..=end).collect())
    }

    /// Where lines or items end. What waits for its end is looked at once, however often more of it comes.
    fn ends(&mut self) -> Result<Vec<usize>, Error> {
        match &self.kind {
            None => Ok(Vec::new()),
            Some(Kind::Items) if !self.unfinished.ends_in(&self.rest) => Ok(Vec::new()),
            Some(Kind::Items) => {
                self.unfinished = msgpack::Unfinished::default();
                msgpack::whole_items(&self.rest, &self.options.limits)
            }
            Some(Kind::Lines | Kind::Flushes | Kind::Rows(_)) => {
                let scanned = self.scanned.min(self.rest.len());
                let ends = memchr::memchr_iter(b'\n', &self.rest[scanned..]);
                let ends: Vec<_> = ends.map(|end| scanned + end + 1).collect();
                // From the beginning of what is left then.
                self.scanned = self.rest.len() - ends.last().copied().unwrap_or_default();
                Ok(ends)
            }
        }
    }
}

/// Reads bytes as what they are known to be.
fn read_as(
    kind: &Option<Kind>,
    bytes: &[u8],
    options: &ReadOptions,
    sink: &mut dyn RequestSink,
) -> Result<Reading, Error> {
    let input = |bytes: &[u8]| Input::bytes(bytes.to_vec());
    match kind {
        None | Some(Kind::Flushes) => json::read(input(bytes), options, sink),
        Some(Kind::Lines) => table::json_lines::read(input(bytes), options, sink),
        Some(Kind::Items) => msgpack::read(input(bytes), options, sink),
        Some(Kind::Rows(heading)) => table::read(input(&[heading, bytes].concat()), options, sink),
    }
}

fn does_not_grow(format: Format) -> Error {
    let message = match format {
        Format::Iot => {
            "a log of one process: name the folder that it is in, which is the job".to_owned()
        }
        _ => format!("a file of this format ({format:?}) is written when the job has ended"),
    };
    Error::new("", Place::Whole, ErrorKind::Unsupported(message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use iotempo_model::TraceBuilder;

    fn read_now(pieces: &mut Pieces) -> Result<Option<Reading>, Error> {
        pieces.read(&mut TraceBuilder::default())
    }

    fn is_given_up(pieces: &mut Pieces) -> bool {
        let first = read_now(pieces).expect_err("unreadable").to_string();
        pieces.feed(&[b'x'; 1 << 16]);
        let again = read_now(pieces).expect_err("unreadable").to_string();
        assert_eq!(first, again);
        pieces.is_hopeless() && pieces.waiting() == 0
    }

    #[test]
    fn nothing_is_kept_of_what_cannot_be_read() {
        let mut unknown = Pieces::new(ReadOptions::default());
        unknown.feed(&b"What is this?\n".repeat(10_000));
        assert!(is_given_up(&mut unknown));
        // A flush of TMIO, and then a byte that no item has.
        let mut damaged = Pieces::new(ReadOptions::default());
        damaged.feed(b"\x81\xa1a\x01\xc1");
        damaged.judge().expect("MessagePack");
        damaged.rest.drain(..4);
        assert!(is_given_up(&mut damaged));
    }

    #[test]
    fn a_line_without_an_end_is_none() {
        let mut pieces = Pieces::new(ReadOptions::default());
        pieces.longest = 1 << 20;
        pieces.feed(b"op,start,end,bytes\nwrite");
        assert!(matches!(read_now(&mut pieces), Ok(None)));
        pieces.feed(&vec![b'x'; 1 << 20]);
        assert!(is_given_up(&mut pieces));
    }

    #[test]
    fn a_beginning_that_makes_no_sense_alone_is_looked_at_again() {
        let mut pieces = Pieces::new(ReadOptions::default());
        pieces.feed(b"\n");
        let _ = read_now(&mut pieces);
        pieces.feed(b"op,start,end,bytes\nwrite,0,1,5\n");
        assert!(matches!(read_now(&mut pieces), Ok(Some(_))));
    }

    #[test]
    fn blank_lines_before_the_beginning_are_waited_over() {
        let mut pieces = Pieces::new(ReadOptions::default());
        for blank in [&b"\n"[..], b"  \n", b" ", b"\t\r\n"] {
            pieces.feed(blank);
            assert!(matches!(read_now(&mut pieces), Ok(None)));
        }
        assert_eq!(pieces.waiting(), 0);
        pieces.feed(b"\nop,start,end,bytes\nwrite,0,1,5\n");
        assert!(matches!(read_now(&mut pieces), Ok(Some(_))));
        pieces.feed(b"write,x,1,5\nwrite,0,1,5\n");
        assert!(matches!(read_now(&mut pieces), Ok(Some(_))));
        let warnings = pieces.take_warnings();
        assert!(warnings[0].message.contains("line 7 "), "{warnings:?}");
    }

    #[test]
    fn what_waits_for_its_end_is_looked_at_once() {
        let mut lines = Pieces::new(ReadOptions::default());
        lines.feed(b"op,start,end,bytes\nwrite,0,1,5\nwrite,");
        assert!(matches!(read_now(&mut lines), Ok(Some(_))));
        assert_eq!((lines.waiting(), lines.scanned), (6, 6));
        lines.feed(b"1,2");
        assert!(matches!(read_now(&mut lines), Ok(None)));
        assert_eq!((lines.waiting(), lines.scanned), (9, 9));
        lines.feed(b",5\nwr");
        assert!(matches!(read_now(&mut lines), Ok(Some(_))));
        assert_eq!((lines.waiting(), lines.scanned), (2, 2));
        // A million bytes of an item, in thousands of pieces: seconds, if all were looked at each time.
        let mut items = Pieces::new(ReadOptions::default());
        items.feed(b"\x81\xa9bandwidth\xdd\x00\x10\x00\x00");
        for _ in 0..16_000 {
            items.feed(&[1; 64]);
            assert!(matches!(read_now(&mut items), Ok(None)));
        }
        assert_eq!(items.waiting(), 1_024_016);
    }

    #[test]
    fn an_item_that_has_not_ended_is_waited_for() {
        let mut pieces = Pieces::new(ReadOptions::default());
        pieces.feed(b"\x81\xa9bandwidth\x82");
        assert!(matches!(read_now(&mut pieces), Ok(None)));
        assert_eq!(pieces.waiting(), 12);
    }

    /// Requests that are read of parts that come one by one, and what is said of them.
    fn read_all(parts: &[&[u8]]) -> (Vec<usize>, Vec<String>) {
        let mut pieces = Pieces::new(ReadOptions::default());
        let counts = parts.iter().map(|part| {
            let mut sink = TraceBuilder::default();
            pieces.feed(part);
            pieces.read(&mut sink).expect("readable");
            let origin = iotempo_model::Origin::new(iotempo_model::Source::Requests);
            sink.finish(origin, Vec::new()).len()
        });
        let counts = counts.collect();
        let warnings = pieces.take_last_warnings();
        (counts, warnings.iter().map(ToString::to_string).collect())
    }

    const FLUSH: &str =
        r#"{"write_sync":{"bandwidth":{"b_rank_avr":[5e6],"t_rank_s":[1.0],"t_rank_e":[2.0]}}}"#;

    #[test]
    fn a_damaged_flush_costs_nothing_but_itself() {
        let cut = &FLUSH[..20];
        let batch = format!("{FLUSH}\n{cut}\n{FLUSH}\n{FLUSH}\n");
        let (counts, warnings) = read_all(&[
            batch.as_bytes(),
            b"no JSON at all\n",
            FLUSH.as_bytes(),
            b"\n",
        ]);
        assert_eq!(counts, [3, 0, 0, 1]);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(
            warnings[0].starts_with("2 lines so far; the first: line 2 "),
            "{warnings:?}"
        );
    }

    #[test]
    fn a_damaged_row_costs_nothing_but_itself_wherever_it_is() {
        let parts: [&[u8]; 4] = [
            b"op,start,end,bytes\nwrite,0,1,5\n",
            b"write,x,3,4\n",
            b"write,4,5,6\nwrite,1\n\nwrite,7,8,9\n",
            b"write,9,9.5,1\n",
        ];
        let (counts, warnings) = read_all(&parts);
        assert_eq!(counts, [1, 0, 2, 1]);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(
            warnings[0].contains("2 lines") && warnings[0].contains("line 3 "),
            "{warnings:?}"
        );
        assert!(
            warnings[0].contains("not a time") && warnings[0].contains('x'),
            "{warnings:?}"
        );
    }

    #[test]
    fn a_damaged_request_costs_nothing_but_itself() {
        let good = "{\"op\":\"write\",\"start\":0,\"end\":1,\"bytes\":5}\n";
        let bad = "{\"op\":\"write\",\"start\":\"x\"}\n";
        let both = format!("{bad}{good}");
        let (counts, warnings) = read_all(&[good.as_bytes(), bad.as_bytes(), both.as_bytes()]);
        assert_eq!(counts, [1, 0, 1]);
        assert!(
            warnings[0].starts_with("2 lines") && warnings[0].contains("line 2 "),
            "{warnings:?}"
        );
    }

    #[test]
    fn requests_are_known_even_where_the_first_is_damaged() {
        let good = "{\"op\":\"write\",\"start\":0,\"end\":1,\"bytes\":5}\n";
        let batch = format!("{{\"op\":\"write\",\"start\":00\n{good}{good}");
        let (counts, warnings) = read_all(&[batch.as_bytes(), good.as_bytes()]);
        assert_eq!(counts, [2, 1]);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].starts_with("line 1 "), "{warnings:?}");
    }

    #[test]
    fn an_item_that_is_no_map_costs_nothing_but_itself() {
        let item = std::fs::read(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../testdata/small/tmio.msgpack"
        ));
        let item = item.expect("a fixture");
        let (once, _) = read_all(&[&item]);
        let (counts, warnings) = read_all(&[&[&item[..], b"\x05", &item].concat()]);
        assert_eq!(counts, [2 * once[0]]);
        assert!(
            warnings.iter().any(|one| one.starts_with("item 6 ")),
            "{warnings:?}"
        );
    }

    #[test]
    fn a_batch_of_nothing_but_damage_takes_no_long_time() {
        let rows = "write,x,1,5\n".repeat(200_000);
        let heading: &[u8] = b"op,start,end,bytes\nwrite,0,1,5\n";
        let (counts, warnings) = read_all(&[heading, rows.as_bytes()]);
        assert_eq!(counts, [1, 0]);
        assert!(warnings[0].starts_with("200000 lines"), "{warnings:?}");
    }

    /// Twenty times as many lines as are damaged: one of each twenty is, and not always the same.
    fn mixed(good: &str, bad: &str, damaged: usize) -> String {
        let lines = (0..20 * damaged).map(|line| match line % 20 == (line / 20) % 7 {
            true => bad,
            false => good,
        });
        lines.collect()
    }

    #[test]
    fn many_damaged_lines_among_good_ones_cost_nothing_but_themselves() {
        let flushes = mixed(&format!("{FLUSH}\n"), &format!("{}\n", &FLUSH[..20]), 1000);
        let rows = mixed("write,0,1,5\n", "write,x,1,5\n", 1000);
        let rows = format!("op,start,end,bytes\n{rows}");
        for (batch, first) in [(flushes, "line 1 "), (rows, "line 2 ")] {
            let (counts, warnings) = read_all(&[batch.as_bytes()]);
            assert_eq!(counts, [19_000]);
            assert_eq!(warnings.len(), 1, "{warnings:?}");
            let start = format!("1000 lines so far; the first: {first}");
            assert!(warnings[0].starts_with(&start), "{warnings:?}");
        }
    }

    #[test]
    fn the_end_of_all_is_the_end_of_the_last_line() {
        let mut pieces = Pieces::new(ReadOptions::default());
        pieces.feed(b"op,start,end,bytes\nwrite,0,1,5");
        assert!(matches!(read_now(&mut pieces), Ok(None)));
        assert_eq!(pieces.finish(), 0);
        assert!(matches!(read_now(&mut pieces), Ok(Some(_))));
        let mut item = Pieces::new(ReadOptions::default());
        item.feed(b"\x81\xa9bandwidth\x82");
        assert!(matches!(read_now(&mut item), Ok(None)));
        assert_eq!(item.finish(), 12);
    }
}
