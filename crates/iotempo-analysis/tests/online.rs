//! Jobs that are followed while they run.
#![allow(clippy::unwrap_used)]

use iotempo_analysis::online::{Follower, Past, PastRhythm, Prediction, Settings, State};
use iotempo_model::{Bytes, Interval, Origin, Seconds, Source};
use iotempo_sim::Aperiodic;

fn seconds(value: f64) -> Seconds {
    Seconds::new(value).unwrap()
}

/// A job of phases at these instants, each `length` long, asked for a prediction whenever that is due,
/// every `step` seconds.
fn followed(starts: &[f64], length: f64, step: f64) -> Vec<Prediction> {
    let mut follower = Follower::new(Settings::default(), Origin::new(Source::Requests));
    let mut made = Vec::new();
    let mut starts = starts.iter().peekable();
    let mut now = 0.0;
    let mut rest = 0;
    while rest < 100 {
        now += step;
        while let Some(start) = starts.next_if(|start| **start + length <= now) {
            let when = Interval::new(seconds(*start), seconds(start + length)).unwrap();
            follower.add(when, Bytes::from(1 << 30));
        }
        if follower.is_due(seconds(now)) {
            made.push(follower.predict(seconds(now)));
        }
        rest += i32::from(starts.peek().is_none());
    }
    made
}

/// Phases at `period`, then at `ratio` times that; each distance is off by up to `jitter` of it.
struct Changing {
    period: f64,
    ratio: f64,
    before: u32,
    jitter: f64,
}

impl Changing {
    const AFTER: u32 = 6;

    fn starts(&self) -> Vec<f64> {
        // The golden ratio: as even as chance never is, and the same every time.
        let noise = |i: u32| 2.0 * (f64::from(i) * 0.618_034).fract() - 1.0;
        let mut now = 0.3 * self.period;
        let mut starts = vec![now];
        for i in 1..self.before + Self::AFTER {
            let ratio = if i < self.before { 1.0 } else { self.ratio };
            now += self.period * ratio * (1.0 + self.jitter * noise(i));
            starts.push(now);
        }
        starts
    }

    /// The last word before the fifth phase after the change began.
    fn after_four_phases(&self) -> Prediction {
        let starts = self.starts();
        let made = followed(&starts, 0.1 * self.period, 0.05 * self.period);
        let fifth = starts[self.before as usize + 4];
        let word = made.into_iter().rfind(|word| word.at.get() < fifth);
        word.unwrap()
    }
}

#[test]
fn a_new_period_is_told_within_four_phases_and_the_old_one_withdrawn() {
    let ratios = [0.5, 1.5, 2.0, 5.0];
    for (period, ratio) in [1.0, 60.0, 3600.0]
        .into_iter()
        .flat_map(|period| ratios.map(|ratio| (period, ratio)))
    {
        for (before, jitter) in [(5, 0.0), (9, 0.05), (16, 0.02), (20, 0.0), (50, 0.05)] {
            let job = Changing {
                period,
                ratio,
                before,
                jitter,
            };
            let word = job.after_four_phases();
            let told = word.period.map(|told| told.value.get() / (period * ratio));
            let near = told.is_some_and(|told| (told - 1.0).abs() < 0.08);
            assert!(
                near,
                "{period} s × {ratio} after {before} ± {jitter}: {told:?} of it, {word:?}"
            );
        }
    }
}

/// Phases at distances that vary by a share, none of which ever changes for good.
fn steady(period: f64, jitter: f64, phases: u32) -> Vec<Prediction> {
    let job = Changing {
        period,
        ratio: 1.0,
        before: phases - Changing::AFTER,
        jitter,
    };
    followed(&job.starts(), 0.1 * period, 0.02 * period)
}

#[test]
fn jitter_is_not_taken_for_a_change() {
    for jitter in [0.0, 0.05, 0.15] {
        let made = steady(30.0, jitter, 80);
        let learned = made.iter().position(|word| word.state == State::Periodic);
        let end = 30.0 * 79.0;
        let after = made[learned.unwrap()..].iter();
        for word in after.take_while(|word| word.at.get() < end) {
            assert_ne!(word.state, State::Changed, "± {jitter}: {word:?}");
            let period = word.period.map(|period| period.value.get());
            assert!(
                period.is_some_and(|period| (period / 30.0 - 1.0).abs() < 0.1),
                "± {jitter}: {word:?}"
            );
        }
    }
}

#[test]
fn forecasts_are_judged_when_their_phase_has_come() {
    let made = steady(30.0, 0.05, 80);
    let accuracy = made.last().unwrap().accuracy;
    assert!(accuracy.judged >= 70, "{accuracy:?}");
    assert!(accuracy.mean_error.unwrap() < 0.06, "{accuracy:?}");
    assert!(accuracy.mean_bytes_error.unwrap() < 0.01, "{accuracy:?}");
    assert!(accuracy.within * 10 >= accuracy.judged * 9, "{accuracy:?}");
    // The job has ended: the last phase that was expected never came.
    assert_eq!(accuracy.missed, 1, "{accuracy:?}");
}

#[test]
fn a_job_that_ended_is_not_expected_to_go_on() {
    let made = steady(30.0, 0.0, 20);
    let last = made.last().unwrap();
    assert_eq!(last.state, State::Changed);
    assert_eq!((last.next, last.period), (None, None));
    assert!(made.iter().any(|word| word.state == State::Overdue));
}

/// Twenty hours of bursts at random, then phases of 6 s every 60 s; each moves about as much.
fn late_rhythm(seed: u64, jitter: f64) -> (Vec<Interval>, f64) {
    const BEFORE: usize = 20 * 3600;
    let random = Aperiodic::SPARSE.signal(BEFORE, seed).unwrap();
    let samples = random.samples().iter().enumerate();
    let active = samples.filter(|(_, rate)| **rate > 0.0);
    let mut transfers: Vec<Interval> = active
        .map(|(second, _)| {
            let start = second as f64;
            Interval::new(seconds(start), seconds(start + 1.0)).unwrap()
        })
        .collect();
    let job = Changing {
        period: 60.0,
        ratio: 1.0,
        before: 6,
        jitter,
    };
    let begin = BEFORE as f64;
    transfers.extend(job.starts().iter().map(|start| {
        let start = begin + start;
        Interval::new(seconds(start), seconds(start + 6.0)).unwrap()
    }));
    (transfers, begin)
}

#[test]
fn a_rhythm_that_sets_in_after_twenty_hours_is_told_after_a_few_phases() {
    // Five phases are enough where they are even, eight where their distances vary by 5 %.
    for (seed, jitter, most) in [(1, 0.0, 5.0), (2, 0.02, 5.0), (3, 0.05, 8.0)] {
        let (transfers, begin) = late_rhythm(seed, jitter);
        let mut follower = Follower::new(Settings::default(), Origin::new(Source::Requests));
        let mut told = None;
        for when in &transfers {
            follower.add(*when, Bytes::from(1 << 30));
            let now = seconds(when.end().get() + 4.0);
            if !follower.is_due(now) {
                continue;
            }
            let word = follower.predict(now);
            let near = |period: f64| (period / 60.0 - 1.0).abs() < 0.05;
            let found = word.period.is_some_and(|period| near(period.value.get()));
            if found && now.get() > begin && told.is_none() {
                told = Some(((now.get() - begin) / 60.0, word));
            }
        }
        let (periods, word) = told.unwrap();
        assert!(periods < most, "seed {seed}: after {periods} periods");
        assert!(word.changed_at.unwrap().get() > begin - 120.0, "{word:?}");
        assert!(follower.memory() < 200_000, "{} bytes", follower.memory());
    }
}

#[test]
fn a_phase_that_moved_all_that_was_expected_is_over_at_once() {
    let mut follower = Follower::new(Settings::default(), Origin::new(Source::Requests));
    let phase = |number: u32| {
        let start = seconds(60.0 * f64::from(number));
        Interval::new(start, start + seconds(5.0)).unwrap()
    };
    for number in 0..8 {
        follower.add(phase(number), Bytes::from(1 << 30));
        follower.predict(phase(number).end() + seconds(4.0));
    }
    // The ninth in two halves: a pause between them is not its end.
    let start = phase(8).start();
    for (from, to, ended) in [(0.0, 2.0, false), (3.0, 5.0, true)] {
        let part = Interval::new(start + seconds(from), start + seconds(to)).unwrap();
        follower.add(part, Bytes::from(1 << 29));
        assert_eq!(follower.is_due(part.end() + seconds(0.6)), ended);
    }
    let made = follower.predict(phase(8).end() + seconds(0.6));
    let outcome = made.outcome().unwrap();
    assert!(outcome.within && outcome.bytes.is_some(), "{outcome:?}");
    assert!((made.next.unwrap().start.value.get() - 540.0).abs() < 1.0);
}

#[test]
fn a_look_in_the_middle_of_a_phase_does_not_delay_its_end() {
    let mut follower = Follower::new(Settings::default(), Origin::new(Source::Requests));
    let part = |number: u32, from: f64| {
        let start = seconds(60.0 * f64::from(number) + from);
        Interval::new(start, start + seconds(1.0)).unwrap()
    };
    for number in 0..9 {
        for from in [0.0, 1.5, 3.0] {
            follower.add(part(number, from), Bytes::from(1 << 28));
        }
        if number == 8 {
            // Somebody asks before the last quarter of the ninth has come.
            follower.predict(part(number, 3.0).end() + seconds(0.2));
        }
        follower.add(part(number, 4.5), Bytes::from(1 << 28));
        if number < 8 {
            follower.predict(part(number, 4.5).end() + seconds(4.0));
        }
    }
    assert!(follower.is_due(part(8, 4.5).end() + seconds(0.7)));
}

#[test]
fn a_job_that_goes_on_after_a_pause_is_forecast_again_after_four_phases() {
    for (period, before, gap) in [
        (2.0, 8, 13.0),
        (1.5, 12, 10.3),
        (1.5, 12, 17.9),
        (3.0, 10, 24.0),
    ] {
        for step in [0.1, 1.0] {
            let first = (0..before).map(|i| 0.4 + period * f64::from(i));
            let resume = 0.4 + period * f64::from(before - 1) + gap;
            let again = (0..8).map(|i| resume + period * f64::from(i));
            let starts: Vec<f64> = first.chain(again).collect();
            let made = followed(&starts, 0.03, step);
            let word = format!("period {period}, gap {gap}, a look every {step} s");
            let fifth = resume + 4.0 * period;
            let known = made
                .iter()
                .find(|p| p.at.get() > resume && p.state == State::Periodic);
            let known = known.unwrap_or_else(|| panic!("{word}: never"));
            assert!(known.at.get() < fifth, "{word}: at {} s", known.at.get());
            let last = starts[starts.len() - 1];
            for made in made
                .iter()
                .filter(|p| p.at.get() > known.at.get() && p.at.get() < last)
            {
                assert_eq!(
                    made.state,
                    State::Periodic,
                    "{word}: at {} s",
                    made.at.get()
                );
                let outcome = made.outcome();
                assert!(
                    outcome.is_none_or(|outcome| outcome.within),
                    "{word}: {outcome:?}"
                );
                let next = made.next.as_ref().unwrap().start.value.get();
                let end = made.window.unwrap().end().get();
                assert!(
                    next > end,
                    "{word}: the next phase, at {next} s, is in the past at {end} s"
                );
            }
        }
    }
}

#[test]
fn nothing_has_changed_where_nothing_was_known() {
    // Requests inside the first burst come at equal distances.
    let burst = |at: f64| (0..8).map(move |i| at + 0.04 * f64::from(i));
    let starts: Vec<f64> = [0.1, 3.1, 6.1].into_iter().flat_map(burst).collect();
    let made = followed(&starts, 0.01, 1.0);
    assert_ne!(made[0].state, State::Changed, "{:?}", made[0]);
}

/// What predictions tell a follower that goes on after the last of them.
fn past(made: &[Prediction]) -> Past {
    let last = made.last().unwrap();
    let rhythm = last.period.zip(last.next).map(|(period, next)| PastRhythm {
        confidence: last.confidence,
        period: period.value,
        jitter: last.jitter,
        next,
        overdue: last.state == State::Overdue,
    });
    Past {
        number: last.number,
        at: last.at,
        window: last.window,
        rhythm,
        changed_at: last.changed_at,
        accuracy: last.accuracy,
        ended: last.state == State::Ended,
        returned: false,
        periods: made
            .iter()
            .map(|one| one.period.map(|period| period.value))
            .collect(),
    }
}

#[test]
fn a_follower_that_goes_on_for_another_says_what_that_one_would_have_said() {
    let (period, length) = (20.0, 2.0);
    let jitter = |i: u32| 1.5 * (f64::from(i) * 0.618_034).fract();
    let transfers: Vec<_> = (0..30)
        .map(|i| {
            let start = period * f64::from(i) + jitter(i);
            Interval::new(seconds(start), seconds(start + length)).unwrap()
        })
        .collect();
    for end in [2, 3, 5, 9, 20, 29] {
        let mut first = Follower::new(Settings::default(), Origin::new(Source::Requests));
        let mut made = Vec::new();
        for when in &transfers[..end] {
            first.add(*when, Bytes::from(1 << 30));
            made.push(first.predict(when.end() + seconds(1.5)));
        }
        let mut second = Follower::new(Settings::default(), Origin::new(Source::Requests));
        second.resume(&past(&made));
        for when in &transfers[..end] {
            second.add(*when, Bytes::from(1 << 30));
        }
        let now = made.last().unwrap().at;
        assert_eq!(second.is_due(now), first.is_due(now), "{end}");
        for when in &transfers[end..] {
            first.add(*when, Bytes::from(1 << 30));
            second.add(*when, Bytes::from(1 << 30));
            let now = when.end() + seconds(1.5);
            assert!(second.is_due(now), "{end}");
            let (a, b) = (first.predict(now), second.predict(now));
            assert_eq!((a.number, a.state), (b.number, b.state), "{end}");
            let counts = |made: &Prediction| {
                let accuracy = made.accuracy;
                (accuracy.judged, accuracy.missed, accuracy.within)
            };
            assert_eq!(counts(&a), counts(&b), "{end}");
            let late = |made: &Prediction| made.outcome().and_then(|outcome| outcome.late_s);
            let apart = late(&a).unwrap_or_default() - late(&b).unwrap_or_default();
            assert!(
                late(&a).is_some() == late(&b).is_some() && apart.abs() < 0.01 * period,
                "{end}: {apart}"
            );
            assert_eq!(a.intervals.len(), b.intervals.len(), "{end}");
            let period = |made: Option<iotempo_analysis::period::Estimate>| {
                made.map_or(0.0, |period| period.value.get())
            };
            let (a, b) = (period(a.period), period(b.period));
            assert!((a - b).abs() <= 0.01 * a, "{end}: {a} and {b}");
        }
        // Nobody comes: both say so, and neither says it twice.
        let late = transfers[29].end() + seconds(15.0 + 20.0);
        assert_eq!(second.is_due(late), first.is_due(late), "{end}");
    }
}

/// Reads and writes of a second in turns, heard of when they end, by looks every second.
#[test]
fn a_phase_whose_requests_are_under_way_is_not_late() {
    let mut follower = Follower::new(Settings::default(), Origin::new(Source::Requests));
    let transfers = (0..60_u32).map(|i| {
        let jitter = 0.2 * ((f64::from(i) * 0.618).fract() - 0.5);
        let start = seconds(5.0 * f64::from(i) + jitter);
        let bytes = Bytes::from(if i % 2 == 0 { 1 << 20 } else { 8 << 20 });
        (Interval::new(start, start + seconds(1.0)).unwrap(), bytes)
    });
    let mut transfers = transfers.peekable();
    for second in 1..300 {
        let now = seconds(f64::from(second));
        while let Some((when, bytes)) = transfers.next_if(|(when, _)| when.end() <= now) {
            follower.add(when, bytes);
        }
        if second > 40 && follower.is_due(now) {
            let made = follower.predict(now);
            assert_eq!(made.state, State::Periodic, "at {second} s: {made:?}");
            let period = made.period.unwrap().value.get();
            assert!((period - 10.0).abs() < 0.2, "at {second} s: {period} s");
        } else if follower.is_due(now) {
            follower.predict(now);
        }
    }
}

/// A job of phases every 20 s, of which every prediction that was due was made.
fn eight_phases() -> Follower {
    let mut follower = Follower::new(Settings::default(), Origin::new(Source::Requests));
    for phase in 0..8 {
        add_phase(&mut follower, 20.0 * f64::from(phase));
        follower.predict(seconds(20.0 * f64::from(phase) + 5.0));
    }
    follower
}

fn add_phase(follower: &mut Follower, start: f64) {
    let when = Interval::new(seconds(start), seconds(start + 2.0)).unwrap();
    follower.add(when, Bytes::from(1 << 30));
}

#[test]
fn what_has_ended_expects_nothing_and_misses_nothing() {
    let mut follower = eight_phases();
    let last = follower.predict(seconds(147.0));
    assert!(!follower.is_over(seconds(155.0)) && follower.is_over(seconds(175.0)));
    let ended = follower.end(seconds(150.0));
    assert_eq!((ended.state, ended.next), (State::Ended, None));
    assert_eq!(ended.number, last.number + 1);
    assert_eq!((ended.period, ended.phases), (last.period, 8));
    assert_eq!(ended.accuracy, last.accuracy);
    assert!(ended.accuracy.judged > 2 && ended.accuracy.missed == 0);
    assert!(follower.has_ended());
    for later in [161.0, 175.0, 200.0, 1e4, 1e6] {
        assert!(!follower.is_due(seconds(later)), "{later}");
    }
}

#[test]
fn the_phase_that_a_job_ends_with_is_judged() {
    let mut follower = eight_phases();
    let before = follower.predict(seconds(147.0)).accuracy;
    add_phase(&mut follower, 160.0);
    let ended = follower.end(seconds(162.0));
    assert_eq!(ended.accuracy.judged, before.judged + 1);
    assert_eq!(ended.accuracy.within, before.within + 1);
    assert!(
        ended
            .outcome()
            .is_some_and(|outcome| outcome.start.is_some())
    );
}

#[test]
fn a_job_that_goes_on_after_its_end_is_followed_again() {
    let mut follower = eight_phases();
    let ended = follower.end(seconds(150.0));
    let mut word = ended.clone();
    for phase in 0..8 {
        let start = 1000.0 + 20.0 * f64::from(phase);
        add_phase(&mut follower, start);
        assert!(!follower.has_ended());
        assert!(follower.is_due(seconds(start + 5.0)));
        word = follower.predict(seconds(start + 5.0));
    }
    assert_eq!(word.state, State::Periodic);
    assert!((word.next.unwrap().start.value.get() - 1160.0).abs() < 1.0);
    assert_eq!(word.accuracy.missed, 0);
}

#[test]
fn a_follower_that_goes_on_for_another_knows_that_the_job_had_ended() {
    let ended = eight_phases().end(seconds(150.0));
    let mut follower = Follower::new(Settings::default(), Origin::new(Source::Requests));
    follower.resume(&past(&[ended]));
    for phase in 0..8 {
        add_phase(&mut follower, 20.0 * f64::from(phase));
    }
    assert!(follower.has_ended() && !follower.is_due(seconds(1e4)));
    add_phase(&mut follower, 160.0);
    assert!(!follower.has_ended() && follower.is_due(seconds(170.0)));
}

#[test]
fn a_job_that_goes_on_as_expected_is_not_over_and_its_forecast_is_judged() {
    let mut follower = eight_phases();
    let ended = follower.end(seconds(150.0));
    add_phase(&mut follower, 160.0);
    let word = follower.predict(seconds(165.0));
    assert_eq!(word.accuracy.judged, ended.accuracy.judged + 1);
    assert_eq!(word.accuracy.missed, 0);
    for phase in 9..14 {
        let start = 20.0 * f64::from(phase);
        assert!(!follower.is_over(seconds(start)));
        // It came, and was not looked at when it would have been late.
        add_phase(&mut follower, start);
        assert!(!follower.is_over(seconds(start + 9.0)));
        assert!(follower.is_due(seconds(start + 9.0)));
        let word = follower.predict(seconds(start + 9.0));
        assert_eq!(word.state, State::Periodic);
        assert!(
            word.outcome()
                .is_some_and(|outcome| outcome.start.is_some())
        );
        assert!(!follower.is_over(seconds(start + 9.0)));
    }
    assert!(follower.is_over(seconds(290.0)));
}

#[test]
fn a_job_without_a_rhythm_is_over_when_it_is_quiet_for_as_long_as_it_is_known() {
    let mut follower = Follower::new(Settings::default(), Origin::new(Source::Requests));
    add_phase(&mut follower, 0.0);
    add_phase(&mut follower, 20.0);
    assert!(!follower.is_over(seconds(1e4)), "nobody has looked");
    follower.predict(seconds(25.0));
    assert!(!follower.is_over(seconds(40.0)) && follower.is_over(seconds(45.0)));
}

/// A line of a log every second, and a checkpoint of five seconds every 70 s, from the 100th second on.
#[test]
fn checkpoints_are_found_where_something_is_always_written() {
    let mut follower = Follower::new(Settings::default(), Origin::new(Source::Requests));
    let mut made = Vec::new();
    for second in 0..2000_u32 {
        let phase = second >= 100 && second % 70 < 5;
        let bytes = if phase { 1 << 20 } else { 1 << 12 };
        let start = f64::from(second);
        let when = Interval::new(seconds(start), seconds(start + 0.01)).unwrap();
        follower.add(when, Bytes::from(bytes));
        // Looked at between two seconds, at a time that drifts.
        let now = seconds(start + 0.05 + 0.9 * f64::from(second % 7) / 7.0);
        if follower.is_due(now) {
            made.push((second, follower.predict(now)));
        }
    }
    // Nine checkpoints and a half.
    let late: Vec<_> = made.iter().filter(|(at, _)| *at > 650).collect();
    for (at, said) in &late {
        let period = said.period.unwrap().value.get();
        assert!((period - 70.0).abs() < 0.5, "{period} s at {at} s");
    }
    // One word after each of the nineteen that follow.
    assert_eq!(late.len(), 19);
}
