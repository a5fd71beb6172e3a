"""What pydarshan makes of Darshan logs, in a form that can be compared bit for bit.

First says which version it is and how it names counters. Then reads paths from standard input, one
per line, and answers each with one line of JSON. libdarshan
keeps state between logs, crashes on some and hangs on others, so that every log is read in a child
of its own; a child that is killed or takes too long is an answer too.

Numbers travel as base64 of little-endian 64-bit words, floating-point ones as their bits; a record
is a run of words, as `row` and its neighbours below lay them out. Texts travel as base64 of bytes,
each closed by a NUL.
"""

import base64
import json
import os
import select
import signal
import struct
import sys
import tempfile
import time

import darshan
from darshan.backend import cffi_backend as backend
from darshan_disk import Disk

ffi, lib = backend.ffi, backend.libdutil
TIMEOUT_S = 60

# Modules whose records are plain counters.
COUNTERS = ["POSIX", "MPI-IO", "STDIO", "H5F", "H5D", "PNETCDF_FILE", "PNETCDF_VAR"]
COUNTERS += ["BG/Q", "DFS", "DAOS"]
APMPI_FLOATS = ["mpiop_totaltime_", "mpiop_synctime_", "mpi_global_"]


def words(*values):
    return struct.pack(f"<{len(values)}Q", *(value & (2**64 - 1) for value in values))


def memory(pointer, size):
    return bytes(ffi.buffer(ffi.cast("char *", pointer), size)) if size else b""


class Module:
    """The records of one module, as they come out of libdarshan."""

    def __init__(self, name):
        self.name, self.count = name, 0
        self.words, self.texts = bytearray(), bytearray()
        self.row = getattr(self, "row_" + name.lower(), self.row_plain)

    def take(self, pointer):
        self.row(pointer)
        self.count += 1

    def text(self, field):
        self.texts += ffi.string(field) + b"\0"

    def cast(self, pointer, key=None):
        return ffi.cast(backend._structdefs[key or self.name].replace("**", "*"), pointer)

    def row_plain(self, pointer):
        self.words += memory(pointer, ffi.sizeof(self.cast(pointer)[0]))

    def row_dxt_posix(self, pointer):
        record = self.cast(pointer)
        writes, reads = record.write_count, record.read_count
        self.words += words(record.base_rec.id, record.base_rec.rank, writes, reads)
        segments = ffi.cast("char *", pointer) + ffi.sizeof(record[0])
        self.words += memory(segments, ffi.sizeof("struct segment_info") * (writes + reads))
        self.text(record.hostname)

    row_dxt_mpiio = row_dxt_posix

    def row_heatmap(self, pointer):
        record, bins = self.cast(pointer), self.cast(pointer).nbins
        self.words += memory(pointer, 32)
        self.words += memory(record.write_bins, 8 * bins) + memory(record.read_bins, 8 * bins)

    def row_lustre(self, pointer):
        record = self.cast(pointer)
        self.words += memory(pointer, 32)
        for index in range(record.num_comps):
            self.words += bytes(ffi.buffer(record.comps[index].counters))
            self.text(record.comps[index].pool_name)
        self.words += memory(record.ost_ids, 8 * record.num_stripes)

    def row_mdhim(self, pointer):
        servers = ffi.cast("int64_t *", pointer)[6]
        self.words += memory(pointer, 88 + 8 * max(1, servers))

    def row_apmpi(self, pointer):
        if self.count == 0:
            header = self.cast(pointer, "APMPI-HEADER")
            self.words += memory(pointer, 24) + words(header.sync_flag)
            self.words += memory(ffi.cast("char *", pointer) + 32, 16)
        else:
            record = self.cast(pointer, "APMPI-PERF")
            self.words += memory(pointer, ffi.sizeof(record[0]) - 128)
            self.text(record.node_name)

    def row_apxc(self, pointer):
        kind = "APXC-PERF" if self.count else "APXC-HEADER"
        self.words += memory(pointer, ffi.sizeof(self.cast(pointer, kind)[0]))

    def dump(self):
        encode = lambda data: base64.b64encode(data).decode()
        return {"count": self.count, "words": encode(self.words), "texts": encode(self.texts)}


def records(log, name, index):
    """All records of a module, and what ended them."""
    module = Module(name)
    while True:
        pointer = ffi.new("void **")
        status = lib.darshan_log_get_record(log["handle"], index, pointer)
        if status < 1:
            return module.dump() | {"status": status}
        module.take(pointer[0])
        lib.darshan_free(pointer[0])


def names(log):
    """All ids and their names, as bytes: not every name is UTF-8."""
    module = Module("names")
    found, count = ffi.new("struct darshan_name_record **"), ffi.new("int *")
    lib.darshan_log_get_name_records(log["handle"], found, count)
    for index in range(count[0]):
        module.words += words(found[0][index].id)
        module.text(found[0][index].name)
    return module.dump()


def job(log):
    """The job as pydarshan returns it."""
    fields = backend.log_get_job(log)
    keys = ["uid", "start_time_sec", "start_time_nsec", "end_time_sec", "end_time_nsec"]
    keys += ["nprocs", "jobid"]
    numbers = words(*(fields[key] for key in keys)) + struct.pack("<d", fields["run_time"])
    return {
        "version": fields["log_ver"],
        "words": base64.b64encode(numbers).decode(),
        "metadata": list(fields["metadata"].items()),
        "exe": backend.log_get_exe(log),
        "mounts": backend.log_get_mounts(log),
    }


def pydarshan_reads(name):
    """Whether pydarshan itself can hand out records of a module that libdarshan reads."""
    return name in backend._structdefs or name + "-PERF" in backend._structdefs


def read(path):
    """A log as pydarshan reads it, after rewriting it where it must be."""
    with open(path, "rb") as file:
        disk = Disk(file.read())
    reasons = disk.needs_rewriting()
    if not reasons:
        return dump(path, disk, reasons)
    with tempfile.NamedTemporaryFile(suffix=".darshan") as file:
        file.write(disk.rewritten())
        file.flush()
        return dump(file.name, disk, reasons)


def dump(path, disk, reasons):
    """What libdarshan makes of the log at `path`, beside what `disk` knows of it."""
    log = backend.log_open(path)
    if not log["handle"]:
        raise RuntimeError("libdarshan cannot open the log")
    on_disk = {entry.id: entry for entry in disk.modules}
    modules = []
    for name, module in backend.log_get_modules(log).items():
        entry = on_disk[module["idx"]]
        modules.append(
            records(log, name, module["idx"])
            | {
                "id": module["idx"],
                "name": name,
                "version": entry.version if "threads" in reasons else module["ver"],
                "partial": module["partial_flag"],
                "by_pydarshan": pydarshan_reads(name),
                "slot": entry.slot,
                "facts": disk.facts(entry),
                "own": disk.own(entry),
            }
        )
    return {
        "rewritten": reasons,
        "partial_bits": disk.partial(),
        **disk.job_facts(),
        "job": job(log),
        "names": names(log),
        "modules": modules,
    }


def answer_in_child(path, pipe):
    try:
        answer = {"outcome": "read", "dump": read(path)}
    except Exception as error:
        answer = {"outcome": f"{type(error).__name__}: {error}"}
    with os.fdopen(pipe, "w") as out:
        json.dump(answer, out)


def answer(path):
    """The answer of a child that reads `path`, or what became of the child."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            answer_in_child(path, writing)
        finally:
            os._exit(0)
    os.close(writing)
    chunks, deadline = [], time.monotonic() + TIMEOUT_S
    while True:
        ready, _, _ = select.select([reading], [], [], max(0, deadline - time.monotonic()))
        if not ready:
            os.kill(child, signal.SIGKILL)
            break
        chunk = os.read(reading, 1 << 20)
        if not chunk:
            break
        chunks.append(chunk)
    os.close(reading)
    _, status = os.waitpid(child, 0)
    if not ready:
        return json.dumps({"outcome": "timeout"}).encode()
    if os.WIFSIGNALED(status):
        return json.dumps({"outcome": signal.Signals(os.WTERMSIG(status)).name}).encode()
    return b"".join(chunks)


def counter_names():
    """The names of all counters: of each module the integer and the floating-point ones."""
    names = backend.counter_names
    own = lambda module: module.replace("/", "")
    modules = {name: [names(own(name)), names(own(name), fcnts=True)] for name in COUNTERS}
    floats = [names("APMPI", fcnts=True, special=special) for special in APMPI_FLOATS]
    modules["APMPI"] = [names("APMPI"), sum(floats, [])]
    modules["APXC"] = [names("APXC"), []]
    return modules


def main():
    print(json.dumps({"version": darshan.__version__, "counters": counter_names()}), flush=True)
    for line in sys.stdin:
        sys.stdout.buffer.write(answer(line.rstrip("\n")) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
