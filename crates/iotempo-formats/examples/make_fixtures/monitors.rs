//! What monitors of a server would have printed while a job wrote a checkpoint every 4 s.

use super::{Fixture, fixture};
use std::fmt::Write;

/// 2026-11-15 07:00:00 UTC.
const BEGIN: u32 = 1_794_726_000;

/// Reports, one a second.
const REPORTS: u32 = 9;

/// KiB written in a second.
fn written(second: u32) -> u32 {
    if second.is_multiple_of(4) { 16_384 } else { 4 }
}

/// The corpora of `sysstat` and `collectl`.
pub(crate) fn all() -> Vec<Fixture> {
    vec![
        fixture("sysstat/iostat.txt", iostat()),
        fixture("sysstat/iostat-x.txt", iostat_extended()),
        fixture("sysstat/iostat.json", iostat_json()),
        fixture("sysstat/sar.txt", sar()),
        fixture("sysstat/sadf-d.csv", sadf_d()),
        fixture("sysstat/sadf-p.txt", sadf_p()),
        fixture("sysstat/sadf.json", sadf_json()),
        fixture("sysstat/sadf.xml", sadf_xml()),
        fixture("collectl/plot.dsk", plot()),
        fixture("collectl/disk.raw", raw_disk()),
        fixture("collectl/lustre.raw", raw_lustre()),
        fixture("collectl/brief.txt", brief()),
    ]
}

/// Adds a line for every report.
fn each(text: &mut String, mut line: impl FnMut(&mut String, u32)) {
    for second in 1..=REPORTS {
        line(text, second);
    }
}

fn put(text: &mut String, line: std::fmt::Arguments<'_>) {
    // A text takes all that it is given.
    let _ = text.write_fmt(line);
}

const BANNER: &str = "Linux 6.1.0 (oss1) \t11/15/26 \t_x86_64_\t(2 CPU)\n\n";

fn iostat() -> String {
    let heading = "Device             tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read    kB_wrtn    kB_dscd\n";
    let mut text = format!(
        "{BANNER}avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n          55.72    1.11   14.27    0.27    0.49   28.13\n\n\
         {heading}sda             154.03      2549.86      6832.87      0.00    5195257   13921760    0\n\n\n"
    );
    each(&mut text, |text, second| {
        let kib = written(second);
        put(
            text,
            format_args!(
                "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n           1.00    0.00    2.00    0.00    0.00   97.00\n\n\
             {heading}sda              27.00        92.00     {kib}.00        0.00         92      {kib}         0\n\
             sda1             27.00        92.00     {kib}.00        0.00         92      {kib}         0\n\n\n"
            ),
        );
    });
    text
}

fn iostat_extended() -> String {
    let heading = "Device            r/s     rkB/s   rrqm/s     w/s     wkB/s   wrqm/s  %util\n";
    let mut text = format!(
        "{BANNER}11/15/2026 07:00:00 AM\n{heading}sda            119.07   2544,93    19.46   26.82   6841,64   104.32   2.60\n\n"
    );
    each(&mut text, |text, second| {
        let kib = written(second);
        put(
            text,
            format_args!(
                "11/15/2026 07:00:{second:02} AM\n{heading}sda              2.00      8,50     0.00   12.00  {kib},00     0.00   2.40\n\
             \u{20}ALL             2.00      8,50     0.00   12.00  {kib},00     0.00   2.40\n\n"
            ),
        );
    });
    text
}

fn iostat_json() -> String {
    let mut text = String::from(
        "{\"sysstat\": {\n\t\"hosts\": [\n\t\t{\n\t\t\t\"nodename\": \"oss1\",\n\t\t\t\"date\": \"11/15/26\",\n\t\t\t\"statistics\": [\n",
    );
    each(&mut text, |text, second| {
        let (kib, comma) = (written(second), if second == REPORTS { "" } else { "," });
        put(
            text,
            format_args!(
                "\t\t\t\t{{\n\t\t\t\t\t\"timestamp\": \"11/15/26 07:00:{second:02}\",\n\t\t\t\t\t\"avg-cpu\":  {{\"user\": 1.00}},\n\t\t\t\t\t\"disk\": [\n\
             \t\t\t\t\t\t{{\"disk_device\": \"sda\", \"tps\": 27.00, \"kB_read/s\": 92.00, \"kB_wrtn/s\": {kib}.00, \"kB_read\": 92, \"kB_wrtn\": {kib}}},\n\
             \t\t\t\t\t\t{{\"disk_device\": \" ALL\", \"tps\": 27.00, \"kB_read/s\": 92.00, \"kB_wrtn/s\": {kib}.00, \"kB_read\": 92, \"kB_wrtn\": {kib}}}\n\
             \t\t\t\t\t]\n\t\t\t\t}}{comma}\n"
            ),
        );
    });
    text + "\t\t\t]\n\t\t}\n\t]\n}}\n"
}

fn sar() -> String {
    let mut text = BANNER.to_owned();
    each(&mut text, |text, second| {
        let (before, kib) = (second - 1, written(second));
        put(
            text,
            format_args!(
                "07:00:{before:02}          tps      rtps      wtps   bread/s   bwrtn/s\n07:00:{second:02}         7.00      1.00      6.00    184.00  {}.00\n\n\
             07:00:{before:02}          DEV       tps     rkB/s     wkB/s     %util\n07:00:{second:02}          sda      7.00     92.00  {kib}.00      0.80\n\n",
                2 * kib
            ),
        );
    });
    text + "Average:          sda      7.00     92.00  3644.00      0.80\n"
}

fn sadf_d() -> String {
    let mut text = "# hostname;interval;timestamp;DEV;tps;rkB/s;wkB/s;%util\n".to_owned();
    each(&mut text, |text, second| {
        let kib = written(second);
        put(
            text,
            format_args!("oss1;1;2026-11-15 07:00:{second:02} UTC;sda;7.00;92.00;{kib}.00;0.80\n"),
        );
    });
    text + "oss1;-1;2026-11-15 07:00:30 UTC;LINUX-RESTART\t(2 CPU)\n"
}

fn sadf_p() -> String {
    let mut text = String::new();
    each(&mut text, |text, second| {
        let kib = written(second);
        for (metric, value) in [("tps", 7), ("rkB/s", 92), ("wkB/s", kib)] {
            put(
                text,
                format_args!("oss1\t1\t{}\tsda\t{metric}\t{value}.00\n", BEGIN + second),
            );
        }
    });
    text
}

fn sadf_json() -> String {
    let mut text = String::from(
        "{\"sysstat\": {\n\t\"hosts\": [\n\t\t{\n\t\t\t\"nodename\": \"oss1\",\n\t\t\t\"file-date\": \"2026-11-15\",\n\t\t\t\"statistics\": [\n",
    );
    each(&mut text, |text, second| {
        let (kib, comma) = (written(second), if second == REPORTS { "" } else { "," });
        put(
            text,
            format_args!(
                "\t\t\t\t{{\n\t\t\t\t\t\"timestamp\": {{\"date\": \"2026-11-15\", \"time\": \"07:00:{second:02}\", \"utc\": 1, \"interval\": 1}},\n\
             \t\t\t\t\t\"io\": {{\"tps\": 7.00, \"io-reads\": {{\"rtps\": 0.00, \"bread\": 184.00}}, \"io-writes\": {{\"wtps\": 6.00, \"bwrtn\": {sectors}.00}}}},\n\
             \t\t\t\t\t\"disk\": [{{\"disk-device\": \"sda\", \"tps\": 7.00, \"rd_sec\": 184.00, \"wr_sec\": {sectors}.00, \"rkB\": 92.00, \"wkB\": {kib}.00}}]\n\t\t\t\t}}{comma}\n",
                sectors = 2 * kib
            ),
        );
    });
    text + "\t\t\t]\n\t\t}\n\t]\n}}\n"
}

fn sadf_xml() -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sysstat>\n\t<host nodename=\"oss1\">\n\t\t<statistics>\n",
    );
    each(&mut text, |text, second| {
        let kib = written(second);
        put(
            text,
            format_args!(
                "\t\t\t<timestamp date=\"2026-11-15\" time=\"07:00:{second:02}\" utc=\"1\" interval=\"1\">\n\
             \t\t\t\t<io per=\"second\"><tps>7.00</tps><io-reads rtps=\"1.00\" bread=\"184.00\"/><io-writes wtps=\"6.00\" bwrtn=\"{}.00\"/></io>\n\
             \t\t\t\t<disk per=\"second\">\n\t\t\t\t\t<disk-device dev=\"sda\" tps=\"7.00\" rkB=\"92.00\" wkB=\"{kib}.00\"/>\n\t\t\t\t</disk>\n\t\t\t</timestamp>\n",
                2 * kib
            ),
        );
    });
    text + "\t\t</statistics>\n\t</host>\n</sysstat>\n"
}

/// What collectl begins its files with.
fn header(more: &str) -> String {
    let line = "#".repeat(80);
    format!(
        "{line}\n# Collectl:   V4.3.1-1  HiRes: 1  Options: -i1 -sdl -f x \n# Host:       oss1  DaemonOpts: \n\
         # Date:       20261115-070000  Secs: {BEGIN} TZ: +0000\n\
         # SubSys:     dl Options:  Interval: 1 NumCPUs: 2  NumBud: 0 Flags: i\n{more}{line}\n"
    )
}

fn plot() -> String {
    let mut text = header("");
    text += "#Date Time [DSK]ReadKBTot [DSK]WriteKBTot [DSK:sda]Name [DSK:sda]RKBytes [DSK:sda]WKBytes\n";
    each(&mut text, |text, second| {
        let kib = written(second);
        put(
            text,
            format_args!("20261115 07:00:{second:02} 92 {kib} sda 92 {kib}\n"),
        );
    });
    text
}

fn raw_disk() -> String {
    let mut text = header("");
    let mut sectors = 29_173_696;
    each(&mut text, |text, second| {
        sectors += 2 * written(second);
        put(
            text,
            format_args!(
                ">>> {}.001 <<<\ndisk    8       0 sda 258537 40562 {} 245251 55556 213833 {sectors} 161880 0 54240 413766\n\
             Net     lo:  126043    2044    0\n",
                BEGIN + second,
                10_965_522 + 184 * second
            ),
        );
    });
    text
}

fn raw_lustre() -> String {
    let mut text = header(
        "# LustreClient:   CltInfo:  scratch:\n# LustreServer:   NumMds: 0 MdsNames:   NumOst: 1 OstNames: OST0000\n",
    );
    let mut bytes = 0;
    each(&mut text, |text, second| {
        bytes += 1024 * written(second);
        put(
            text,
            format_args!(
                ">>> {}.001 <<<\nLLITE:0 open                      1 samples [regs]\n\
             LLITE:0 write_bytes               9 samples [bytes] 1 1048576 {bytes}\n\
             OST_0 read_bytes                0 samples [bytes]\nOST_0 write_bytes               9 samples [bytes] 4096 1048576 {bytes}\n",
                BEGIN + second
            ),
        );
    });
    text
}

fn brief() -> String {
    let mut text =
        "#         <----------Disks----------->\n#Time     KBRead  Reads KBWrit Writes \n"
            .to_owned();
    each(&mut text, |text, second| {
        let kib = written(second);
        put(
            text,
            format_args!("07:00:{second:02}      92     12  {kib:>5}     15 \n"),
        );
    });
    text
}
