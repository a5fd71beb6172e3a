//! Findings for people: charts on a terminal, and one self-contained HTML page.
