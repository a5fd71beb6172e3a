//! Who may ask for what.

use super::Shared;
use super::answer::Refusal;
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_LENGTH, HOST, TRANSFER_ENCODING};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

/// Bytes of an address at the most.
const LONGEST_URI: usize = 4096;
/// What holds nothing that is secret.
const PUBLIC: [&str; 2] = ["/", "/healthz"];

/// Lets a request through, or says why not.
pub(super) async fn guard(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    match check(&shared, &request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    }
}

fn check(shared: &Shared, request: &Request) -> Result<(), Refusal> {
    let refuse = |status, message: &str| Err(Refusal::new(status, message));
    let (uri, headers) = (request.uri(), request.headers());
    let length = uri.path_and_query().map_or(0, |text| text.as_str().len());
    if length > LONGEST_URI {
        return refuse(StatusCode::URI_TOO_LONG, "an address of more than 4 KiB");
    }
    if has_body(headers) {
        return refuse(StatusCode::PAYLOAD_TOO_LARGE, "a request has no body here");
    }
    match &shared.settings.token {
        Some(_) if PUBLIC.contains(&uri.path()) => Ok(()),
        Some(token) => match bearer(headers) {
            Some(given) if token.is(given) => Ok(()),
            Some(_) => Err(Refusal::wrong_token()),
            None => Err(Refusal::no_token()),
        },
        None if is_local(headers) => Ok(()),
        None => refuse(
            StatusCode::MISDIRECTED_REQUEST,
            "without a token this server is asked as localhost or by its loopback address only",
        ),
    }
}

fn has_body(headers: &HeaderMap) -> bool {
    let length = headers.get(CONTENT_LENGTH);
    let length = length.is_some_and(|length| length != HeaderValue::from_static("0"));
    length || headers.contains_key(TRANSFER_ENCODING)
}

/// The token that was sent, if one was sent as it should be.
fn bearer(headers: &HeaderMap) -> Option<&[u8]> {
    let value = headers.get(AUTHORIZATION)?.as_bytes();
    let (scheme, token) = value.split_at_checked(7)?;
    let is_one = scheme.eq_ignore_ascii_case(b"bearer ") && !token.is_empty();
    is_one.then_some(token)
}

/// Whether the server was asked by a name that only this machine has. A page of somebody else, whose
/// name was made to lead here, is asked by that name.
fn is_local(headers: &HeaderMap) -> bool {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let Some(host) = host else {
        return false;
    };
    // Only in brackets can the colons of an address be told from that of a port.
    if let Some(rest) = host.strip_prefix('[') {
        let address = rest.split(']').next().unwrap_or_default();
        return address
            .parse()
            .is_ok_and(|address: Ipv6Addr| address.is_loopback());
    }
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    let address = name.parse::<Ipv4Addr>();
    name.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(name: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(HOST, HeaderValue::from_static(name))])
    }

    #[test]
    fn only_names_of_this_machine_are_local() {
        for name in [
            "localhost",
            "LOCALHOST:80",
            "127.0.0.1:7788",
            "127.9.9.9",
            "[::1]:7788",
        ] {
            assert!(is_local(&host(name)), "{name}");
        }
        for name in [
            "",
            "example.org",
            "localhost.example.org:80",
            "10.0.0.1",
            "[::2]",
            "::1:80",
        ] {
            assert!(!is_local(&host(name)), "{name}");
        }
        assert!(!is_local(&HeaderMap::new()));
    }
}
