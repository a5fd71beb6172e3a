//! Traces with known answers.
