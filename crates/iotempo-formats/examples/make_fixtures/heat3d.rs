//! An application that does not exist: a heat solver that writes a checkpoint every 200 steps.

use super::rng::Rng;
use iotempo_formats::darshan::writer::{Call, Runtime};
use iotempo_formats::darshan::{JobRecord, Module, Mount};
use iotempo_model::Op;

pub(crate) const SCRATCH: &str = "/lustre/scratch/user/heat3d";
const INPUT: &str = "/home/user/heat3d/heat3d.in";
const LOG: &str = "/home/user/heat3d/run.log";

/// Mean time from one checkpoint to the next. Each starts up to [`JITTER_S`] early or late.
pub(crate) const PERIOD_S: f64 = 47.0;
const JITTER_S: f64 = 1.2;

const STEPS_BETWEEN: u32 = 200;

/// When the first 200 steps are done.
const FIRST_CHECKPOINT_S: f64 = 45.5;

/// What a rank writes per checkpoint, and in which pieces MPI-IO hands it to the file system.
const BLOCK: i64 = 128 << 20;
const PIECE: i64 = 32 << 20;

/// Rank 0 writes a header before the blocks, which begin at a stripe.
const HEADER: i64 = 4096;
const BLOCKS_AT: i64 = 1 << 20;

/// What a rank reads of the mesh.
const MESH_BLOCK: i64 = 32 << 20;

/// What one rank gets from the file system, in bytes per second.
const RATE: f64 = 42.0 * 1048576.0;

/// The application before it runs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Heat3d {
    ranks: u32,
    checkpoints: u32,
}

/// One checkpoint as it happened.
#[derive(Debug, Clone)]
pub(crate) struct Checkpoint {
    pub(crate) file: String,
    /// From the first request to the last.
    pub(crate) start_s: f64,
    pub(crate) end_s: f64,
    pub(crate) bytes: i64,
}

/// The application after it ran.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub(crate) runtime: Runtime,
    pub(crate) job: JobRecord,
    pub(crate) run_time_s: f64,
    pub(crate) mesh: String,
    pub(crate) checkpoints: Vec<Checkpoint>,
}

/// A clock that ticks about every microsecond, in steps that are whole in binary: they compress.
fn tick(time: f64) -> f64 {
    const TICKS_PER_S: f64 = 1048576.0;
    (time * TICKS_PER_S).round() / TICKS_PER_S
}

impl Heat3d {
    pub(crate) fn new(ranks: u32, checkpoints: u32) -> Self {
        Self { ranks, checkpoints }
    }

    /// Runs it. Checkpoints start at the same times whatever the number of ranks.
    pub(crate) fn run(self) -> Run {
        let hosts = (0..self.ranks.div_ceil(16)).map(|at| format!("nid{:05}", 1012 + at));
        let mut runtime = Runtime::new(self.ranks, 1 << 20, hosts.collect());
        let mesh = format!("{SCRATCH}/mesh.bin");
        self.read_input(&mut runtime);
        self.read_mesh(&mut runtime, &mesh);
        let mut schedule = Rng::new(47);
        let mut checkpoints: Vec<Checkpoint> = Vec::new();
        for at in 0..self.checkpoints {
            let jitter = schedule.between(-JITTER_S, JITTER_S);
            let start = FIRST_CHECKPOINT_S + f64::from(at) * PERIOD_S + jitter;
            let step = (at + 1) * STEPS_BETWEEN;
            checkpoints.push(self.checkpoint(&mut runtime, step, start));
            self.log_steps(&mut runtime, step, start);
        }
        let end = checkpoints.last().map_or(0.0, |last| last.end_s);
        let run_time_s = tick(end + 1.75);
        Run {
            job: self.job(run_time_s),
            runtime,
            run_time_s,
            mesh,
            checkpoints,
        }
    }

    /// Rank 0 reads the parameters with `fgets`.
    fn read_input(self, runtime: &mut Runtime) {
        let mut at = 0.0112;
        runtime.open(Module::Stdio, 0, INPUT, tick(at), tick(at + 0.0021));
        for (offset, length) in [(0, 61), (61, 34), (95, 47), (142, 52), (194, 29)] {
            at += 0.0025;
            let call = call(Op::Read, offset, length, at, at + 0.0004);
            runtime.call(Module::Stdio, 0, INPUT, call);
        }
        runtime.close(Module::Stdio, 0, INPUT, tick(at + 0.001), tick(at + 0.0012));
    }

    /// All ranks read their part of the mesh.
    fn read_mesh(self, runtime: &mut Runtime, mesh: &str) {
        let mut rng = Rng::new(1);
        let pieces = |rank: u32| {
            let first = i64::from(rank) * MESH_BLOCK;
            vec![
                (first, MESH_BLOCK / 2),
                (first + MESH_BLOCK / 2, MESH_BLOCK / 2),
            ]
        };
        self.collective(runtime, &mut rng, mesh, Op::Read, 0.42, &pieces);
    }

    fn checkpoint(self, runtime: &mut Runtime, step: u32, start: f64) -> Checkpoint {
        let mut rng = Rng::new(step.into());
        let file = format!("{SCRATCH}/ckpt.{step:04}.bin");
        let pieces = |rank: u32| {
            let first = BLOCKS_AT + i64::from(rank) * BLOCK;
            (0..BLOCK / PIECE)
                .map(|at| (first + at * PIECE, PIECE))
                .collect()
        };
        let (start_s, end_s) = self.collective(runtime, &mut rng, &file, Op::Write, start, &pieces);
        Checkpoint {
            file,
            start_s,
            end_s,
            bytes: HEADER + i64::from(self.ranks) * BLOCK,
        }
    }

    /// Opens a file on all ranks, moves the pieces of each in one collective call, and closes it.
    /// Answers when the first request started and the last one ended.
    fn collective(
        self,
        runtime: &mut Runtime,
        rng: &mut Rng,
        file: &str,
        op: Op,
        start: f64,
        pieces: &dyn Fn(u32) -> Vec<(i64, i64)>,
    ) -> (f64, f64) {
        let opened = start + 0.06;
        let skews: Vec<f64> = (0..self.ranks).map(|_| rng.between(0.002, 0.02)).collect();
        for (rank, skew) in (0..).zip(&skews) {
            open(runtime, rank, file, start + skew, opened);
        }
        let ready = match op {
            // The others wait for the header in the collective call.
            Op::Write => self.write_header(runtime, file, opened),
            Op::Read => opened,
        };
        let posix: Vec<Vec<Call>> = (0..)
            .zip(&skews)
            .map(|(rank, skew)| {
                let start = ready.max(opened + skew) + rng.between(0.0005, 0.03);
                transfer(rng, op, rank, start, &pieces(rank))
            })
            .collect();
        let ends = posix.iter().filter_map(|calls| calls.last());
        let done = ends.map(|call| call.end).fold(0.0, f64::max);
        let mut last_end: f64 = 0.0;
        for (rank, (calls, skew)) in (0..).zip(posix.into_iter().zip(skews)) {
            let whole = around(&calls, opened + skew, done + rng.between(0.001, 0.01));
            last_end = last_end.max(whole.end);
            runtime.call(Module::MpiIo, rank, file, whole);
            for call in calls {
                runtime.call(Module::Posix, rank, file, call);
            }
            close(runtime, rank, file, done + 0.015, rng.between(0.004, 0.012));
        }
        (tick(opened), last_end)
    }

    /// Rank 0 alone; answers when it is done.
    fn write_header(self, runtime: &mut Runtime, file: &str, start: f64) -> f64 {
        let posix = call(Op::Write, 0, HEADER, start + 0.0002, start + 0.0011);
        let mpiio = call(Op::Write, 0, HEADER, start, start + 0.0014);
        runtime.call(Module::MpiIo, 0, file, mpiio);
        runtime.call(Module::Posix, 0, file, posix);
        start + 0.02
    }

    /// Rank 0 tells what it did, every 20 steps since the last checkpoint.
    fn log_steps(self, runtime: &mut Runtime, step: u32, checkpoint: f64) {
        let first_line = step - STEPS_BETWEEN;
        if first_line == 0 {
            runtime.open(Module::Stdio, 0, LOG, tick(0.031), tick(0.0335));
        }
        for line in 0..10 {
            let number = i64::from(first_line / 20 + line);
            let at = checkpoint - 43.0 + 4.3 * f64::from(line);
            let call = call(Op::Write, number * 72, 72, at, at + 0.00004);
            runtime.call(Module::Stdio, 0, LOG, call);
        }
        runtime.flush(
            Module::Stdio,
            0,
            LOG,
            tick(checkpoint - 0.2),
            tick(checkpoint - 0.197),
        );
    }

    fn job(self, run_time_s: f64) -> JobRecord {
        let (start_s, start_ns) = (1_750_000_000_i64, 250_000_000_i64);
        let end_ns = start_ns + (run_time_s * 1e9) as i64;
        let mount = |fs_type: &str, point: &str| Mount {
            fs_type: fs_type.to_owned(),
            point: point.to_owned(),
            device: None,
        };
        JobRecord {
            uid: 1000,
            start_s,
            start_ns,
            end_s: start_s + end_ns / 1_000_000_000,
            end_ns: end_ns % 1_000_000_000,
            nprocs: self.ranks.into(),
            jobid: 418_372,
            exe: format!(
                "/home/user/bin/heat3d --steps {} --checkpoint-every {STEPS_BETWEEN}",
                self.checkpoints * STEPS_BETWEEN
            ),
            metadata: vec![
                ("lib_ver".to_owned(), "3.4.6".to_owned()),
                (
                    "h".to_owned(),
                    "romio_no_indep_rw=true;cb_nodes=4".to_owned(),
                ),
            ],
            mounts: vec![
                mount("lustre", "/lustre/scratch"),
                mount("nfs4", "/home"),
                mount("tmpfs", "/dev/shm"),
                mount("xfs", "/"),
            ],
            ..JobRecord::default()
        }
    }
}

fn call(op: Op, offset: i64, length: i64, start: f64, end: f64) -> Call {
    Call {
        op,
        offset,
        length,
        start: tick(start),
        end: tick(end),
        collective: false,
    }
}

/// The POSIX calls of a rank, one after the other. One storage target in eight is slow.
fn transfer(rng: &mut Rng, op: Op, rank: u32, start: f64, pieces: &[(i64, i64)]) -> Vec<Call> {
    let slowness = if rank % 8 == 5 { 1.22 } else { 1.0 };
    let mut at = start;
    let mut calls = Vec::new();
    for &(offset, length) in pieces {
        let end = at + length as f64 / RATE * slowness * rng.between(0.9, 1.12);
        calls.push(call(op, offset, length, at, end));
        at = end + rng.between(0.0001, 0.0008);
    }
    calls
}

/// The collective call that all of `calls` are part of.
fn around(calls: &[Call], start: f64, end: f64) -> Call {
    let length = calls.iter().map(|call| call.length).sum();
    let first = calls[0];
    Call {
        collective: true,
        ..call(first.op, first.offset, length, start, end)
    }
}

/// MPI-IO opens the file with POSIX below.
fn open(runtime: &mut Runtime, rank: u32, file: &str, start: f64, end: f64) {
    runtime.open(Module::MpiIo, rank, file, tick(start), tick(end));
    runtime.open(
        Module::Posix,
        rank,
        file,
        tick(start + 0.002),
        tick(end - 0.004),
    );
}

fn close(runtime: &mut Runtime, rank: u32, file: &str, start: f64, duration: f64) {
    let end = start + duration;
    runtime.close(
        Module::Posix,
        rank,
        file,
        tick(start + 0.0005),
        tick(end - 0.001),
    );
    runtime.close(Module::MpiIo, rank, file, tick(start), tick(end));
}
