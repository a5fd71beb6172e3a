//! Damaged and odd job logs.
