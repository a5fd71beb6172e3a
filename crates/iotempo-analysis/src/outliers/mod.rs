//! Ways to tell the values that stand out.

mod z_score;

pub use z_score::z_scores;
