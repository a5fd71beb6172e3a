//! What the fingers of FTIO's users type: options of two letters, which behind one dash are two
//! options to everybody else.

use std::ffi::{OsStr, OsString};

/// FTIO's options of two letters, and ours.
const TWO_LETTERS: [(&str, &str); 7] = [
    ("-ts", "--start"),
    ("--ts", "--start"),
    ("-te", "--end"),
    ("--te", "--end"),
    ("-au", "--autocorrelation"),
    ("-np", "--amplitude"),
    ("-tr", "--transform"),
];

/// FTIO's options that have no counterpart, and what to do instead.
const NOT_HERE: [(&[&str], &str); 10] = [
    (
        &["-s"],
        "formats are told by their content, and need no option",
    ),
    (
        &["-p"],
        "the score of FTIO's paper is a part of every result (character)",
    ),
    (
        &["-bw", "--burst_energy_fraction"],
        "phases and their lengths are a part of every result",
    ),
    (
        &["--filter_type", "--filter_cutoff", "--filter_order"],
        "nothing is filtered; -f chooses what is seen",
    ),
    (
        &[
            "-le",
            "--wavelet",
            "--stft_window",
            "--tfpf",
            "--fourier_fit",
        ],
        "the report shows how periods change over time (-o report.html)",
    ),
    (
        &["-r", "-rp", "-ce", "-re"],
        "figures are in the report (-o report.html)",
    ),
    (
        &["-w", "-hi", "--debounce", "--phase-automaton", "--gui"],
        "this is about traces that are complete, not about a run that goes on",
    ),
    (
        &["--sum", "--avr", "--ind", "--no_sum", "--no_avr"],
        "the bandwidth is that of all ranks together; --ranks selects some of them",
    ),
    (&["-cf"], "other tables are read with --columns"),
    (&["-l"], "name the inputs that are to be read"),
];

/// Why an option of FTIO's does not work, where the command line has one.
pub(crate) fn hint(words: &[OsString]) -> Option<String> {
    let verb = verb(words).filter(|verb| words[*verb] == "period")?;
    let options = words[verb + 1..].iter().take_while(|word| *word != "--");
    options.filter_map(|word| word.to_str()).find_map(|word| {
        let name = word.split_once('=').map_or(word, |(name, _)| name);
        let pair = |name: &str| name.starts_with("--pa-") || name.starts_with("--zmq");
        let name = if pair(name) { "--gui" } else { name };
        let (_, instead) = NOT_HERE.iter().find(|(names, _)| names.contains(&name))?;
        Some(format!("{word} is FTIO's and not known here: {instead}"))
    })
}

/// Options before the verb that take a value.
const WITH_VALUE: [&str; 3] = ["--color", "--threads", "--units"];

/// The words of a command line as clap reads them: those of `period` without options of two
/// letters, all others untouched.
pub(crate) fn as_clap_reads(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.into_iter().collect();
    let Some(verb) = verb(&words) else {
        return words;
    };
    if words[verb] == "period" {
        let options = words[verb + 1..].iter_mut();
        for word in options.take_while(|word| *word != "--") {
            if let Some(ours) = ours(word) {
                *word = ours;
            }
        }
    }
    words
}

/// Where the verb stands: the first word that is neither an option nor the value of one.
fn verb(words: &[OsString]) -> Option<usize> {
    let mut index = 1;
    loop {
        let word = words.get(index)?.to_string_lossy();
        if !word.starts_with('-') {
            return Some(index);
        }
        index += 1 + usize::from(WITH_VALUE.contains(&word.as_ref()));
    }
}

/// `-ts` is `--start`, and `-ts=5` is `--start=5`.
fn ours(word: &OsStr) -> Option<OsString> {
    let text = word.to_str()?;
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (text, None),
    };
    let (_, ours) = TWO_LETTERS.iter().find(|(theirs, _)| *theirs == name)?;
    Some(value.map_or_else(|| (*ours).into(), |value| format!("{ours}={value}").into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> String {
        let words = line.split(' ').map(OsString::from);
        let words = as_clap_reads(words).into_iter();
        let words: Vec<_> = words
            .map(|word| word.into_string().expect("text"))
            .collect();
        words.join(" ")
    }

    #[test]
    fn options_of_two_letters_become_ours() {
        assert_eq!(
            read("iotempo period 8.jsonl -ts 5 -te=60 -au -np -tr dft -t 0.8"),
            "iotempo period 8.jsonl --start 5 --end=60 --autocorrelation --amplitude \
             --transform dft -t 0.8"
        );
        assert_eq!(
            read("iotempo --color never -q period x -ts 1"),
            "iotempo --color never -q period x --start 1"
        );
    }

    #[test]
    fn options_that_only_ftio_has_get_a_hint() {
        let hinted = |line: &str| {
            let words: Vec<_> = line.split(' ').map(OsString::from).collect();
            hint(&words)
        };
        let said = "-w is FTIO's and not known here: this is about traces that are complete";
        assert!(hinted("iotempo period x -w data").is_some_and(|hint| hint.starts_with(said)));
        assert!(hinted("iotempo period x --zmq_port=5").is_some());
        for line in [
            "iotempo period x -au -t 0.8",
            "iotempo inspect -w",
            "iotempo period -- -w",
        ] {
            assert_eq!(hinted(line), None, "{line}");
        }
    }

    #[test]
    fn other_verbs_and_names_of_files_are_left_alone() {
        for line in [
            "iotempo inspect -ts 5",
            "iotempo",
            "iotempo --color period inspect -ts",
            "iotempo period -- -ts -au",
            "iotempo period -t s",
        ] {
            assert_eq!(read(line), line);
        }
    }
}
