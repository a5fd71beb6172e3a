//! Which address has which answer.

use super::answer::Refusal;
use super::{Shared, events, guard, jobs, metrics, openapi, page};
use crate::hub::SILENCE;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use std::sync::Arc;

/// What those hear who ask for an address that has no answer.
const NOTHING: &str = "there is nothing here; GET /api/openapi.json lists what there is";

pub(super) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/", get(page::page))
        .route("/healthz", get(health))
        .route("/metrics", get(metrics::metrics))
        .route("/api/openapi.json", get(openapi::document))
        .route("/api/jobs", get(jobs::list))
        .route("/api/jobs/{id}", get(jobs::one))
        .route("/api/jobs/{id}/signal", get(jobs::signal))
        .route("/api/jobs/{id}/events", get(events::of_job))
        .route("/api/events", get(events::all))
        .fallback(async || Refusal::new(StatusCode::NOT_FOUND, NOTHING))
        .method_not_allowed_fallback(async || {
            Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "GET and HEAD only")
        })
        .layer(from_fn_with_state(Arc::clone(&shared), guard::guard))
        .with_state(shared)
}

/// Whether jobs are being looked at.
async fn health(State(shared): State<Arc<Shared>>) -> (StatusCode, &'static str) {
    if shared.board.silence() < SILENCE {
        (StatusCode::OK, "ok\n")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "jobs are not looked at\n")
    }
}
