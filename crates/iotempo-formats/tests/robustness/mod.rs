//! What the robustness test of the Darshan reader is made of.

pub mod corrupt;
pub mod damage;
