//! Numbers with as many digits as are known.

pub(super) use iotempo_report::figures::{
    confidence, estimate, percent, short_estimate, significant,
};
