"""Measure jobs that are followed while they run: a thousand of them by one `iotempo serve`, and what an
update costs beside FTIO.

Usage: bench/live.py [--quick]
"""

import json
import os
import pathlib
import re
import selectors
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

from measure import DATA, IOTEMPO, QUICK, RELEASE, ROOT, table

JOBS = 1000
# An hour of a sample and a look a second, in a twelfth of the time.
SPEED = 12
HOUR_S = 600 if QUICK else 3600
TICK_S = 1 / SPEED
CLIENTS = 200
CLIENTS_S = 20 if QUICK else 60
HERTZ = os.sysconf("SC_CLK_TCK")
NUMBER = re.compile(rb"^id: ?(\d+)$", re.MULTILINE)


class Process:
    """What the kernel says about a process."""

    def __init__(self, pid):
        self.folder = pathlib.Path(f"/proc/{pid}")

    def cpu_s(self):
        fields = (self.folder / "stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / HERTZ

    def megabytes(self, field="VmRSS"):
        text = (self.folder / "status").read_text()
        return int(re.search(rf"{field}:\s+(\d+)", text)[1]) / 1024


class Jobs:
    """A thousand real programs under the tracer: half of them quiet between phases, a quarter never quite
    quiet, a quarter without a rhythm."""

    def __init__(self, folder, ticks):
        program = folder / "ticker"
        subprocess.run(["cc", "-O2", "-o", program, ROOT / "bench/ticker.c"], check=True)
        self.logs = folder / "logs"
        self.running = [self.start(program, number, ticks) for number in range(JOBS)]

    def start(self, program, number, ticks):
        period = 0 if number % 4 == 3 else 20 + number % 100
        background = 4096 if number % 4 == 2 else 0
        words = [round(TICK_S * 1e3), ticks, period, 3 + number % 5, background, number]
        settings = {
            "LD_PRELOAD": str(RELEASE / "libiotempo_tracer.so"),
            "IOTEMPO_DIR": str(self.logs),
            "IOTEMPO_JOB": f"job-{number:04}",
        }
        command = [str(word) for word in [program, *words]]
        return subprocess.Popen(command, env={**os.environ, **settings})

    def stop(self):
        for process in self.running:
            process.kill()
        for process in self.running:
            process.wait()


class Server:
    def __init__(self, folder):
        command = [IOTEMPO, "serve", folder, "--listen", "127.0.0.1:0", "--every", f"{round(TICK_S * 1e3)}ms"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.port = int(re.search(r":(\d+)", line.split("//")[1])[1])
        self.usage = Process(self.process.pid)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


class Events:
    """Some clients of the stream of events, in one thread."""

    def __init__(self, port, clients):
        self.selector = selectors.DefaultSelector()
        self.clients = [Client(port, keeps=clients == 1) for _ in range(clients)]
        for client in self.clients:
            self.selector.register(client.socket, selectors.EVENT_READ, client)

    def listen(self, seconds):
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            for key, _ in self.selector.select(left):
                key.data.take_in()

    def close(self):
        for client in self.clients:
            client.socket.close()


class Client:
    """A client that keeps the events it hears, or, where there are many, only their numbers: it must not be
    slower than the server."""

    def __init__(self, port, keeps):
        self.keeps = keeps
        self.socket = socket.create_connection(("127.0.0.1", port))
        head = f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"
        self.socket.sendall(head.encode())
        self.rest = b""
        self.heard, self.gaps, self.last, self.lines = 0, 0, None, []

    def take_in(self):
        data = self.socket.recv(1 << 20)
        if not data:
            raise SystemExit("the server closed a stream of events")
        now = time.time()
        whole, end, rest = (self.rest + data).rpartition(b"\n\n")
        self.rest = rest
        self.count(whole + end)
        if not self.keeps:
            return
        for block in whole.split(b"\n\n"):
            fields = dict(part.split(b":", 1) for part in block.split(b"\n") if b":" in part[1:])
            if fields.get(b"event", b"").strip() == b"prediction":
                self.lines.append((now, fields[b"data"]))

    def count(self, text):
        """How many numbers there are, and how many are left out. Most are only counted: with 200 clients at a
        hundred thousand events a second there is no time to read each."""
        first = NUMBER.search(text)
        if first is None:
            return
        number = int(first[1])
        last = int(NUMBER.search(text, text.rindex(b"\nid: ") + 1)[1])
        heard = text.count(b"\nid: ") + text.startswith(b"id: ")
        missed = text.count(b"event: lost")
        if self.last is not None:
            missed += abs(number - self.last - 1)
        self.gaps += missed + abs(last - number + 1 - heard)
        self.heard, self.last = self.heard + heard, last


def latencies(lines):
    """Milliseconds from the end of the data that a prediction was made from to its arrival here, of those
    made because a phase had ended. What moves in every tick repeats, too, but has no phases."""
    found = []
    for arrived, data in lines:
        line = json.loads(data)["line"]
        ended = line["window_end_s"]
        phases = line["state"] == "periodic" and line["period_s"] > 10 * TICK_S
        if phases and ended is not None:
            found.append((arrived - line["start_epoch_s"] - ended) * 1e3)
    return sorted(found)


def share(values, part):
    return values[min(len(values) - 1, int(part * len(values)))]


def load():
    """A simulated hour of a thousand jobs."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        run_s = HOUR_S / SPEED
        jobs = Jobs(folder, round((run_s + CLIENTS_S + 60) / TICK_S))
        server = Server(jobs.logs)
        try:
            return load_rows(server, run_s)
        finally:
            server.stop()
            jobs.stop()


def load_rows(server, run_s):
    events = Events(server.port, 1)
    before = server.usage.cpu_s()
    events.listen(run_s)
    cpu = server.usage.cpu_s() - before
    late = latencies(events.clients[0].lines)
    events.close()
    rss = server.usage.megabytes("VmHWM")
    many = Events(server.port, CLIENTS)
    many.listen(CLIENTS_S / 4)
    early = server.usage.megabytes()
    many.listen(CLIENTS_S * 3 / 4)
    grown = server.usage.megabytes() - early
    gaps = sum(client.gaps + (client.last is None) for client in many.clients)
    heard = sum(client.heard for client in many.clients)
    many.close()
    polled = f"{round(TICK_S * 1e3)} ms of polling in it"
    hour = f"{HOUR_S} s of {JOBS} jobs at 1 Hz, {SPEED} × as fast"
    return [
        (f"{hour}: CPU", f"{cpu:.1f} s", f"{100 * cpu / HOUR_S:.1f} % of a core", "≤ 10 %"),
        ("… peak memory", f"{rss:.0f} MB", f"{rss * 1e3 / JOBS:.0f} kB a job", "≤ 300 MB"),
        (
            f"… from the end of a phase to its prediction, {polled}",
            f"median {share(late, 0.5):.0f} ms, p99 {share(late, 0.99):.0f} ms",
            f"{len(late):,} predictions",
            "p99 ≤ 250 ms and the polling",
        ),
        (
            f"{CLIENTS} clients of the events for {CLIENTS_S} s",
            f"{heard:,} events heard, {gaps} lost",
            f"memory {grown:+.0f} MB",
            "0 lost",
        ),
    ]


def update():
    """What one more flush costs, beside FTIO's predictor, which starts a process that reads the file anew."""
    trace = DATA / "tmio/tmio__JSONL__8.jsonl"
    if not trace.exists():
        return [("an update, beside FTIO", "no real traces under " + str(DATA), "", "")]
    lines = trace.read_bytes().splitlines(keepends=True)
    # TMIO writes six modes and the time spent, a line each.
    flushes = [b"".join(lines[at : at + 7]) for at in range(0, len(lines), 7)]
    with tempfile.TemporaryDirectory() as folder:
        growing = pathlib.Path(folder) / "growing.jsonl"
        mine = statistics.median(ours_ms(growing, flushes) for _ in range(3 if QUICK else 7))
        command = [sys.executable, ROOT / "bench/peer_predictor.py", growing, trace]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    what = f"an update of {trace.name}, mean of {len(flushes)} flushes, CPU time"
    if done.returncode != 0:
        return [(what, f"{mine:.2f} ms", "FTIO is not installed", "")]
    theirs = float(done.stdout.split()[-1])
    return [(what, f"{mine:.2f} ms", f"FTIO: {theirs:.0f} ms, {theirs / mine:.0f} × ours", "≥ 100 ×")]


def ours_ms(growing, flushes):
    """CPU time of the whole program per flush, from the first to the last; its start is left out, as FTIO's is."""
    growing.write_bytes(b"")
    command = [IOTEMPO, "predict", growing, "--every", "50ms", "-q"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    time.sleep(0.5)
    before = cpu_ms(process.pid)
    with growing.open("ab", buffering=0) as file:
        for flush in flushes:
            file.write(flush)
            if not process.stdout.readline():
                raise SystemExit("iotempo predict ended early")
    cpu = cpu_ms(process.pid) - before
    process.terminate()
    process.wait()
    return cpu / len(flushes)


def cpu_ms(pid):
    """CPU time of all threads, which the kernel has to the ns here and to 10 ms elsewhere."""
    tasks = pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e6


def section():
    rows = update()
    rows += load() if shutil.which("cc") else [("a thousand jobs", "no C compiler", "", "")]
    return f"""## Jobs that still run

{table(("what", "iotempo", "beside it", "target"), rows)}
"""


if __name__ == "__main__":
    print(section())
