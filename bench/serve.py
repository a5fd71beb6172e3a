#!/usr/bin/env python3
"""What `iotempo serve` costs: many jobs that each write a phase now and then, many clients that listen.

usage: serve.py IOTEMPO [--jobs 1000] [--clients 200] [--seconds 60] [--period 20]

Prints the share of a core that the server takes, its memory, and how long it takes from the end of a
phase in the log to the event at a client, beside the second between two looks.
"""
import argparse
import json
import os
import selectors
import socket
import subprocess
import tempfile
import time


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("iotempo")
    parser.add_argument("--jobs", type=int, default=1000)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--period", type=float, default=20.0)
    parser.add_argument("--history", type=int, default=24)
    return parser.parse_args()


def row(start):
    return f"write,{start:.3f},{start + 0.5:.3f},1000000\n"


class Job:
    """A table that gets a row per period."""

    def __init__(self, folder, number, words):
        self.name = f"job{number:05}.csv"
        self.path = os.path.join(folder, self.name)
        self.phase = words.history
        self.period = words.period
        self.due = time.monotonic() + 10 + words.period * number / words.jobs
        with open(self.path, "w") as file:
            file.write("op,start,end,bytes\n")
            file.writelines(row(words.period * phase) for phase in range(words.history))

    def write(self):
        with open(self.path, "a") as file:
            file.write(row(self.period * self.phase))
        self.phase += 1
        self.due += self.period


class Client:
    """A stream of events; those of the first client are read."""

    def __init__(self, address):
        self.socket = socket.create_connection(address)
        self.socket.sendall(b"GET /api/events HTTP/1.0\r\nHost: localhost\r\n\r\n")
        self.socket.setblocking(False)
        self.rest = b""
        self.events = 0

    def lines(self):
        data = self.socket.recv(1 << 16)
        assert data, "the server has closed a stream"
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            if line.startswith(b'data: {"job"'):
                self.events += 1
                yield json.loads(line[6:])


def spent(process):
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(process, field):
    with open(f"/proc/{process}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(field)) / 1024


def main():
    words = arguments()
    folder = tempfile.TemporaryDirectory()
    jobs = [Job(folder.name, number, words) for number in range(words.jobs)]
    command = [words.iotempo, "serve", folder.name, "--listen", "127.0.0.1:0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        measure(words, jobs, server)
    finally:
        server.terminate()
        server.wait()


def measure(words, jobs, server):
    host, port = server.stdout.readline().strip().rsplit("/", 1)[1].split(":")
    clients = [Client((host, int(port))) for _ in range(words.clients)]
    selector = selectors.DefaultSelector()
    for number, client in enumerate(clients):
        selector.register(client.socket, selectors.EVENT_READ, (number, client))
    written, delays = {}, []
    start = min(job.due for job in jobs)
    began = None
    end = start + words.seconds
    while (now := time.monotonic()) < end:
        if began is None and now >= start:
            began = (now, spent(server.pid))
        for job in jobs:
            if job.due <= now:
                job.write()
                written[job.name] = time.monotonic()
        for key, _ in selector.select(0.01):
            number, client = key.data
            for event in client.lines():
                if number == 0 and (at := written.pop(event["job"], None)) is not None:
                    delays.append(time.monotonic() - at)
    took, cpu = time.monotonic() - began[0], spent(server.pid) - began[1]
    delays.sort()
    at = lambda share: delays[min(int(share * len(delays)), len(delays) - 1)]
    print(f"{words.jobs} jobs, {words.clients} clients, {took:.0f} s, {len(delays)} phases")
    print(f"processor: {100 * cpu / took:.1f} % of a core")
    print(f"memory: {memory(server.pid, 'VmRSS'):.0f} MiB, {memory(server.pid, 'VmHWM'):.0f} MiB at most")
    print(f"end of a phase to event: median {at(0.5):.3f} s, 99 % {at(0.99):.3f} s, most {delays[-1]:.3f} s")
    print(f"events: {min(c.events for c in clients)} to {max(c.events for c in clients)} per client")


main()
