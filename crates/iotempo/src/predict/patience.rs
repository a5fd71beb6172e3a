//! Errors that pass: a file system that does not answer for a while, or something else in the place of a file.

use iotempo_formats::{Error, ErrorKind};

/// Bears with a source that could be read before.
#[derive(Debug, Default)]
pub(super) struct Patience {
    begun: bool,
    told: bool,
}

impl Patience {
    /// What a look at a source brought that `is_there`; `None` where it failed and is tried again, with a word about
    /// that when it is new.
    ///
    /// # Errors
    /// Where nothing was ever read, or trying again is of no use.
    pub(super) fn bear<T>(
        &mut self,
        look: Result<T, Error>,
        is_there: bool,
    ) -> Result<(Option<T>, Option<String>), Error> {
        match look {
            Ok(found) => {
                self.begun |= is_there;
                self.told = false;
                Ok((Some(found), None))
            }
            Err(error) if self.begun && matches!(error.kind, ErrorKind::Io(_)) => {
                let new = !std::mem::replace(&mut self.told, true);
                Ok((None, new.then(|| format!("{error}: trying again"))))
            }
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use iotempo_formats::Place;

    #[test]
    fn what_was_read_before_is_tried_again_and_told_once() {
        let failed = || Err::<(), _>(Error::new("", Place::Whole, std::io::Error::other("stale")));
        let hopeless = ErrorKind::Unsupported("no format".to_owned());
        let mut patience = Patience::default();
        assert!(patience.bear(Ok(()), false).is_ok());
        assert!(patience.bear(failed(), true).is_err());
        for _ in 0..2 {
            assert!(patience.bear(Ok(()), true).is_ok());
            let (_, said) = patience.bear(failed(), true).expect("borne");
            assert!(said.is_some_and(|said| said.contains("stale")));
            let (_, said) = patience.bear(failed(), true).expect("borne");
            assert_eq!(said, None);
        }
        let hopeless = Error::new("", Place::Whole, hopeless);
        assert!(patience.bear(Err::<(), _>(hopeless), true).is_err());
    }
}
