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

/// Steps of FTIO's predictor that differ, by command and flushes in the file, with the cause.
pub(crate) const ONLINE: [(&str, usize, &str); 0] = [];

const AT_10_HZ: &str = "predictor 384.msgpack -f 10 -m write_sync --debounce";
const DROPPED: &str =
    "the first event is at 3.167 s; FTIO hands 3.17 s to itself and loses the events before";
const LOST: &str = "as above, and what is left has more than two candidates: no frequency at all";

/// Steps whose window is the whole trace, and whose answer is not that of FTIO on the whole trace.
pub(crate) const NOT_OFFLINE: [(&str, usize, &str); 7] = [
    (AT_10_HZ, 3, DROPPED),
    (AT_10_HZ, 4, DROPPED),
    (AT_10_HZ, 5, DROPPED),
    (AT_10_HZ, 6, DROPPED),
    (AT_10_HZ, 7, LOST),
    (AT_10_HZ, 8, LOST),
    (AT_10_HZ, 9, LOST),
];
