//! Where we answer otherwise than FTIO, and why.

const NOISE: &str =
    "the bandwidth is constant: FTIO's 4 Hz is the rounding of its Fourier transform";
const ROUNDED: &str = "the file states bytes and rates with two decimals: FTIO's volume is that of \
                       the rounded rates";

/// Commands whose answer differs, with the cause.
pub(crate) const EXCEPTIONS: [(&str, &str); 4] = [
    ("ftio ftio-inputs/constant.json -e no -f 10", NOISE),
    ("ftio ftio-inputs/constant.json -e no -f 10 -au", NOISE),
    (
        "ftio ftio-inputs/custom/txt/4.txt -e no -cf ftio-inputs/custom_input_fixed.py -f 1",
        ROUNDED,
    ),
    (
        "ftio ftio-inputs/custom/txt/4.txt -e no -cf ftio-inputs/custom_input_fixed.py -f 10",
        ROUNDED,
    ),
];
