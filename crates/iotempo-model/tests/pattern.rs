//! Patterns find what the `regex` crate finds.

use iotempo_model::pattern::Pattern;
use proptest::prelude::*;
use regex::bytes::{Regex, RegexBuilder};

fn oracle(pattern: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(pattern).unicode(false).build()
}

fn finds(pattern: &str, text: &str) -> bool {
    let pattern = Pattern::new(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"));
    pattern.finds(text.as_bytes())
}

/// Patterns over few letters, so that they often match.
fn any_pattern() -> impl Strategy<Value = String> {
    let atom = prop_oneof![
        6 => "[abc/.]".prop_map(|letter| letter.replace('.', r"\.")),
        1 => Just(".".to_owned()),
        1 => Just("é".to_owned()),
        1 => Just("^".to_owned()),
        1 => Just("$".to_owned()),
        1 => r"\\[dwsDWS]",
        1 => r"\[\^?[abc]-?[c-e\]][0-9_]?\]".prop_map(|set| set.replace("-]", "-")),
        1 => Just(r"[\d\-\]x]".to_owned()),
    ];
    atom.prop_recursive(5, 40, 4, |inner| {
        let repeat = prop_oneof![
            Just("*"),
            Just("+"),
            Just("?"),
            Just("*?"),
            Just("{2}"),
            Just("{0,2}"),
            Just("{1,}"),
            Just("{0}"),
            Just("{0,}"),
            Just("{2,3}?"),
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|parts| parts.concat()),
            prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.join("|")),
            inner.clone().prop_map(|part| format!("({part})")),
            (inner, repeat).prop_map(|(part, repeat)| format!("(?:{part}){repeat}")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn a_pattern_finds_what_the_regex_crate_finds(
        pattern in any_pattern(),
        texts in prop::collection::vec(r"[abcde/.0é_\n ]{0,12}", 1..8),
    ) {
        let theirs = oracle(&pattern);
        let ours = Pattern::new(&pattern);
        prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{}: {:?} {:?}", pattern, ours.err(), theirs.err());
        if let (Ok(ours), Ok(theirs)) = (ours, theirs) {
            for text in texts {
                let found = theirs.is_match(text.as_bytes());
                prop_assert_eq!(ours.finds(text.as_bytes()), found, "{} in {:?}", pattern, text);
            }
        }
    }

    #[test]
    fn whatever_is_taken_for_a_pattern_means_what_the_regex_crate_says(
        pattern in r"[ab(){}\[\]|*+?^$\\.,0-3x-]{0,12}",
        text in "[ab0-3x,-]{0,8}",
    ) {
        if let Ok(ours) = Pattern::new(&pattern) {
            // Theirs has set operations within brackets, which ours takes as they stand.
            prop_assume!(!pattern.contains("--"));
            let theirs = oracle(&pattern);
            prop_assert!(theirs.is_ok(), "{} is none of theirs: {:?}", pattern, theirs.err());
            prop_assert_eq!(ours.finds(text.as_bytes()), theirs.expect("a pattern").is_match(text.as_bytes()), "{}", pattern);
        }
    }

    #[test]
    fn no_text_makes_the_compiler_panic(text in any::<String>()) {
        let _ = Pattern::new(&text);
    }
}

#[test]
fn a_pattern_is_searched_anywhere_unless_it_is_anchored() {
    assert!(finds("run", "/scratch/run/out"));
    assert!(!finds("^run", "/scratch/run/out"));
    assert!(finds(r"^/scratch/.*\.h5$", "/scratch/run/out.h5"));
    assert!(finds("/home/(me|you)/", "/home/you/data"));
    assert!(finds("café*$", "/tmp/caféé"));
}

#[test]
fn an_error_names_the_place() {
    for (pattern, message) in [
        ("a(b", "at byte 2, `(`: the group does not end"),
        ("a)b", "at byte 2, `)`: no group begins before it"),
        ("*.h5", "at byte 1, `*`: nothing before it to repeat"),
        ("[a-", "at byte 1, `[`: the set does not end"),
        (
            "x[z-a]",
            "at byte 3, `z`: no range: its end comes before its start",
        ),
        (r"\q", r"at byte 1, `\`: no escape that is known"),
        ("a{2", "at its end: a number of times is {m}, {m,} or {m,n}"),
        ("a{3,2}", "at byte 2, `{`: from more to fewer"),
        ("a{99999}", "at byte 3, `9`: a number of times up to 1024"),
    ] {
        let error = Pattern::new(pattern).expect_err(pattern);
        assert_eq!(error.to_string(), message, "{pattern}");
    }
}

#[test]
fn a_pattern_with_too_many_steps_is_refused() {
    assert!(Pattern::new(&"a".repeat(Pattern::MOST_STEPS)).is_ok());
    assert!(Pattern::new(&"a".repeat(Pattern::MOST_STEPS + 1)).is_err());
    assert!(Pattern::new("(a{40}){40}").is_err());
    assert!(Pattern::new(&"(".repeat(10_000)).is_err());
    assert!(
        Pattern::new(&["a"; 300].join("|")).is_ok(),
        "many alternatives are no nesting"
    );
}

#[test]
fn no_pattern_takes_more_than_linear_time() {
    let text = vec![b'a'; 100_000];
    let started = std::time::Instant::now();
    let pattern = Pattern::new("(a*)*(a|a)*(a?){50}a{50}b$").expect("a pattern");
    assert!(!pattern.finds(&text));
    assert!(
        started.elapsed().as_secs() < 20,
        "took {:?}",
        started.elapsed()
    );
}
