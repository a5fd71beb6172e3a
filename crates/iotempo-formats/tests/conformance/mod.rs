//! What the conformance test of the Darshan reader is made of.

pub mod compare;
pub mod corpus;
pub mod defects;
pub mod made;
pub mod oracle;
pub mod recorded;
pub mod rows;
