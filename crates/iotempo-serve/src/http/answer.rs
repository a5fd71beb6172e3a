//! Answers of all kinds.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, WWW_AUTHENTICATE};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::fmt;

/// What goes wrong with a request.
#[derive(Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    message: String,
    /// How to ask instead.
    challenge: Option<HeaderValue>,
}

/// How a token is sent.
const SENT: &str = "send it in a header, Authorization: Bearer TOKEN";

impl Refusal {
    pub(super) fn new(status: StatusCode, message: impl fmt::Display) -> Self {
        Self {
            status,
            message: message.to_string(),
            challenge: None,
        }
    }

    /// No token came, or none in the form that tokens have.
    pub(super) fn no_token() -> Self {
        Self {
            challenge: Some(HeaderValue::from_static("Bearer")),
            ..Self::new(
                StatusCode::UNAUTHORIZED,
                format_args!("this server wants a token: {SENT}"),
            )
        }
    }

    /// One came that is not the right one. Nothing is said of what is wrong with it.
    pub(super) fn wrong_token() -> Self {
        Self {
            challenge: Some(HeaderValue::from_static("Bearer error=\"invalid_token\"")),
            ..Self::new(
                StatusCode::UNAUTHORIZED,
                format_args!("this is not the token of this server: {SENT}"),
            )
        }
    }

    pub(super) fn bad(message: impl fmt::Display) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        #[derive(Serialize)]
        struct Error<'a> {
            error: &'a str,
        }
        let body = json(&Error {
            error: &self.message,
        });
        let mut answer = (self.status, body).into_response();
        if let Some(challenge) = self.challenge {
            answer.headers_mut().insert(WWW_AUTHENTICATE, challenge);
        }
        answer
    }
}

/// What is true now and may not be in a second.
pub(super) const FRESH: (HeaderName, &str) = (CACHE_CONTROL, "no-store");

pub(super) fn json(value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(body) => ([(CONTENT_TYPE, "application/json"), FRESH], body).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
