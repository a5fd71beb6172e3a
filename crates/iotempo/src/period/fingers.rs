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
