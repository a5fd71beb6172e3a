//! The program of pages whose pictures are drawn already: light or dark.

/// The only program that such a page may run.
pub(crate) const SCRIPT: &str = include_str!("../assets/theme.js");
/// Its SHA-256 in base64: by it the page's policy lets the browser run this program and no other.
pub(crate) const SCRIPT_SHA256: &str = "zVGg50OVaCAXv7PgmXT4nnHEerqtoT9RWXQL3mpcV4E=";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base64;
    use sha2::{Digest, Sha256};

    #[test]
    fn the_policy_names_the_script_that_the_page_holds() {
        let digest = base64::encode(&Sha256::digest(SCRIPT));
        assert_eq!(
            SCRIPT_SHA256, digest,
            "the script changed: this is its digest"
        );
    }
}
