//! The lines that collectl begins its files with.

use crate::zone::TimeZone;

/// What they say about the recording.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Header {
    pub(super) host: String,
    /// How far its clock is from UTC, such as `+0100`.
    offset: Option<String>,
    /// Seconds.
    pub(super) interval: Option<f64>,
    /// Whether numbers are totals of an interval (`-on`) instead of rates.
    pub(super) totals: bool,
    /// File systems of a client of Lustre, by number.
    pub(super) clients: Vec<String>,
    /// Targets of a server of Lustre, by number.
    pub(super) targets: Vec<String>,
}

/// So many names are remembered.
const NAMES: usize = 1 << 16;

impl Header {
    /// Takes a line; `true` where it names the machine.
    pub(super) fn line(&mut self, line: &str) -> bool {
        let Some(line) = line.strip_prefix('#').map(str::trim_start) else {
            return false;
        };
        let after = |key: &str| line.split_once(key).map(|(_, rest)| rest.trim_start());
        let word = |rest: &str| rest.split_ascii_whitespace().next().map(str::to_owned);
        if let Some(rest) = line.strip_prefix("Host:") {
            self.host = word(rest).unwrap_or_default();
            return true;
        } else if line.starts_with("Date:") {
            self.offset = after("TZ:").and_then(word);
        } else if line.starts_with("SubSys:") {
            let options = after("Options:").unwrap_or_default();
            let (options, _) = options.split_once("Interval:").unwrap_or((options, ""));
            self.totals = options.contains('n');
            // Intervals of slower statistics follow behind a colon.
            let interval = after("Interval:").and_then(word).unwrap_or_default();
            let interval = interval.split(':').next().unwrap_or_default().parse();
            self.interval = interval.ok().filter(|&s: &f64| s > 0.0 && s.is_finite());
        } else if line.starts_with("LustreServer:") {
            self.targets = names(after("OstNames:"));
        } else if line.starts_with("LustreClient:") {
            self.clients = names(after("CltInfo:"));
        }
        false
    }

    /// The zone of its times: the user's, where one was named, else its own.
    pub(super) fn zone(&self, named: &TimeZone) -> TimeZone {
        let own = self
            .offset
            .as_deref()
            .and_then(|offset| offset.parse().ok());
        match own {
            Some(own) if named.is_assumed() => own,
            _ => named.clone(),
        }
    }
}

fn names(list: Option<&str>) -> Vec<String> {
    let words = list
        .unwrap_or_default()
        .split_ascii_whitespace()
        .take(NAMES);
    let name = |word: &str| word.split(':').next().unwrap_or_default().to_owned();
    words.map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_tells_who_recorded_when_and_how() {
        let mut header = Header::default();
        for line in [
            "# Collectl:   V4.3.1-1  HiRes: 1  Options: -i15 -sl -f x ",
            "# Host:       node001  DaemonOpts: ",
            "# Date:       20200115-120000  Secs: 1579089600 TZ: +0100",
            "# SubSys:     l Options: n Interval: 15:60 NumCPUs: 24  NumBud: 0 Flags: i",
            "# LustreClient:   CltInfo:  scratch:abc home:",
            "# LustreServer:   NumMds: 0 MdsNames:   NumOst: 2 OstNames: OST0000 OST0001",
        ] {
            header.line(line);
        }
        let list = |names: [&str; 2]| names.map(str::to_owned).to_vec();
        assert_eq!(header.host, "node001");
        assert_eq!((header.interval, header.totals), (Some(15.0), true));
        assert_eq!(header.clients, list(["scratch", "home"]));
        assert_eq!(header.targets, list(["OST0000", "OST0001"]));
        assert_eq!(header.zone(&TimeZone::system()).name(), "+0100");
        assert_eq!(header.zone(&TimeZone::utc()).name(), "UTC");
    }
}
