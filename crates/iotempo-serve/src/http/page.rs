//! The page for people.

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::response::{IntoResponse, Response};

const PAGE: &str = include_str!("../../page/index.html");

/// What the page may do: run the program and use the style whose SHA-256 these are, whatever a hostile
/// name of a job smuggles in, and talk to where it comes from.
const POLICY: &str = "default-src 'none'; \
                      script-src 'sha256-o8Nqqs+AuPb51SSEwJNThcQ9hlU/WjXGoKMU2/S0cJI='; \
                      style-src 'sha256-K9IZRx5ZEEEWHEgt2bWRDOk/xK7ZrerPQo1gst5ierI='; \
                      connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// The same for everybody: it holds nothing that anybody might not see.
pub(super) async fn page() -> Response {
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-cache"),
    ];
    (headers, PAGE).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    /// The digest of the only element of that name, as policies write it.
    fn digest(element: &str) -> String {
        let (open, close) = (format!("<{element}>"), format!("</{element}>"));
        let inner = PAGE
            .split(&open)
            .nth(1)
            .and_then(|rest| rest.split(&close).next());
        let digest = Sha256::digest(inner.expect("one such element"));
        format!("{element}-src 'sha256-{}'", base64(&digest))
    }

    /// RFC 4648, section 4.
    fn base64(bytes: &[u8]) -> String {
        const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut text = String::new();
        for chunk in bytes.chunks(3) {
            let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
            let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
            let digits = (0..=chunk.len()).map(|digit| bits >> (18 - 6 * digit) & 63);
            text.extend(digits.map(|digit| char::from(ALPHABET[digit as usize])));
            text.extend(std::iter::repeat_n('=', 3 - chunk.len()));
        }
        text
    }

    #[test]
    fn the_policy_names_what_the_page_holds() {
        for element in ["script", "style"] {
            let digest = digest(element);
            assert!(POLICY.contains(&digest), "it changed: now it is {digest}");
        }
    }

    #[test]
    fn the_page_needs_nothing_beside_it() {
        for word in [
            "src=",
            "@import",
            "http://",
            "https://",
            " style=",
            " onclick=",
        ] {
            let found: Vec<&str> = PAGE.split(word).skip(1).collect();
            // The name of SVG is no address.
            let far = found
                .iter()
                .filter(|rest| !rest.starts_with("www.w3.org/2000/svg"));
            assert_eq!(far.count(), 0, "{word}");
        }
    }
}
