//! Work of a library that asserts what a damaged file may break.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, UnwindSafe};
use std::sync::Once;

thread_local! {
    /// Whether this thread's panics are errors that somebody else tells.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

static HOOK: Once = Once::new();

/// Guards the thread while it lives.
struct Guard {
    before: bool,
}

impl Guard {
    fn new() -> Self {
        HOOK.call_once(|| {
            let usual = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                if !GUARDED.with(Cell::get) {
                    usual(info);
                }
            }));
        });
        Self {
            before: GUARDED.with(|guarded| guarded.replace(true)),
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        GUARDED.with(|guarded| guarded.set(self.before));
    }
}

/// What the work gives; or what it said when it panicked, which nobody else hears. Other threads panic as ever.
pub(super) fn guarded<T>(work: impl FnOnce() -> T + UnwindSafe) -> Result<T, String> {
    let _guard = Guard::new();
    panic::catch_unwind(work).map_err(|said| text(&*said))
}

fn text(said: &(dyn Any + Send)) -> String {
    let word = said.downcast_ref::<&str>().copied();
    let word = word.or_else(|| said.downcast_ref::<String>().map(String::as_str));
    word.unwrap_or("a reason that is no text").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_with_its_words_and_guards_end_with_their_work() {
        assert_eq!(guarded(|| 7), Ok(7));
        let failed: Result<(), String> = guarded(|| panic!("page {} is odd", 3));
        assert_eq!(failed, Err("page 3 is odd".to_owned()));
        assert!(!GUARDED.with(Cell::get));
        let nested = guarded(|| {
            let inner: Result<(), String> = guarded(|| panic!("inner"));
            (inner, GUARDED.with(Cell::get))
        });
        assert_eq!(nested, Ok((Err("inner".to_owned()), true)));
        let elsewhere = guarded(|| std::thread::spawn(|| GUARDED.with(Cell::get)).join().ok());
        assert_eq!(elsewhere, Ok(Some(false)));
    }
}
