"""A Darshan 3.x log as it lies on disk: header, regions and a few raw fields.

Serves the oracle in two ways. It rewrites logs that the wheel of pydarshan cannot open into ones
that it can, without touching a record; and it tells what a record held on disk where libdarshan is
known to lose it.
"""

import bz2
import struct
import zlib

MAGIC = 6567223
ZLIB, BZIP2, NONE = range(3)

POSIX, PNETCDF_FILE, LUSTRE, DXT_POSIX, DXT_MPIIO, HEATMAP = 1, 5, 8, 10, 11, 15

# Records with a thread id in their segments, which no release reads yet, and what they become.
THREADED = {(DXT_POSIX, 2): 1, (DXT_MPIIO, 3): 2}


class Entry:
    """The place of one module in the header."""

    def __init__(self, slot, id, version, offset, length):
        self.slot, self.id, self.version = slot, id, version
        self.offset, self.length = offset, length


class Disk:
    """The header of a log, and its regions when they are asked for."""

    def __init__(self, data):
        self.data = data
        self.order = "<" if struct.unpack_from("<q", data, 8)[0] == MAGIC else ">"
        self.version = data[:8].rstrip(b"\0").decode()
        self.compression = data[16]
        self.old = self.version < "3.41"
        self.size, self.slots = (360, 16) if self.old else (1328, 64)
        self.names_at = 24 if self.old else 32
        self.map_at = self.names_at + 16
        self.versions_at = self.map_at + 16 * self.slots
        self.names = self.unpack("QQ", data, self.names_at)
        self.modules = [self.entry(slot) for slot in range(self.slots)]

    def unpack(self, format, data, at=0):
        return struct.unpack_from(self.order + format, data, at)

    def entry(self, slot):
        offset, length = self.unpack("QQ", self.data, self.map_at + 16 * slot)
        version = self.unpack("I", self.data, self.versions_at + 4 * slot)[0]
        id = slot + (self.version < "3.20" and slot >= 4)
        id += self.old and id >= 6
        return Entry(slot, id, version, offset, length)

    def partial(self):
        """The bits of the modules that dropped records, as a number in the order of the file."""
        if self.old:
            return self.unpack("I", self.data, 20)[0]
        return self.unpack("Q", self.data, 24)[0]

    def job(self):
        """The decompressed job region, which ends where the names or the first module begin."""
        starts = [self.names[0]] + [entry.offset for entry in self.modules]
        end = next((start for start in starts if start), len(self.data))
        return self.inflate(self.size, end - self.size)

    def job_facts(self):
        """How the texts of the job end, on which libdarshan and pydarshan depend."""
        job, metadata_at = self.job(), 40 if self.old else 56
        metadata = job[metadata_at : metadata_at + 1024].split(b"\0")[0]
        return {
            "job_bytes": len(job),
            "metadata_line_ends": not metadata or metadata.endswith(b"\n"),
            "exe_line_ends": b"\n" in job[metadata_at + 1024 :].split(b"\0")[0],
        }

    def inflate(self, offset, length):
        """The decompressed bytes of a region: of all its streams, one after the other."""
        data = self.data[offset : offset + length]
        if self.compression == NONE:
            return data
        parts = []
        while data:
            stream = zlib.decompressobj() if self.compression == ZLIB else bz2.BZ2Decompressor()
            parts.append(stream.decompress(data))
            if not stream.eof:
                raise ValueError("a compressed stream is cut off")
            data = stream.unused_data
        return b"".join(parts)

    def needs_rewriting(self):
        """Why the wheel cannot read this log: a list of reasons, mostly empty."""
        reasons = ["bzip2"] if self.compression == BZIP2 else []
        if any((entry.id, entry.version) in THREADED and entry.length for entry in self.modules):
            reasons.append("threads")
        return reasons

    def rewritten(self):
        """The same log with every region as one zlib stream, and segments without thread ids."""
        header = bytearray(self.data[: self.size])
        header[16] = ZLIB
        body = bytearray(zlib.compress(self.job()))

        def place(region, at):
            compressed = zlib.compress(region)
            struct.pack_into(self.order + "QQ", header, at, self.size + len(body), len(compressed))
            body.extend(compressed)

        if self.names[1]:
            place(self.inflate(*self.names), self.names_at)
        for entry in self.modules:
            if not entry.length:
                continue
            region = self.inflate(entry.offset, entry.length)
            older = THREADED.get((entry.id, entry.version))
            if older:
                region = b"".join(b"".join(record) for record in self.threaded(region))
                at = self.versions_at + 4 * entry.slot
                struct.pack_into(self.order + "I", header, at, older)
            place(region, self.map_at + 16 * entry.slot)
        return bytes(header + body)

    def threaded(self, region):
        """Records of DXT with thread ids: each as its header and its segments without the id."""
        at = 0
        while at < len(region):
            writes, reads = self.unpack("qq", region, at + 88)
            end = at + 104 + 40 * (writes + reads)
            segments = region[at + 104 : end]
            yield region[at : at + 104], b"".join(
                segments[i : i + 32] for i in range(0, len(segments), 40)
            )
            at = end

    def facts(self, entry):
        """What libdarshan does not hand out of a module, one number per record: the stdio opens of
        POSIX 1, the independent opens of PNETCDF 1 and 2, how many components a LUSTRE 2 record has
        on disk, how many bins a HEATMAP record."""
        kind = (entry.id, entry.version)
        if kind == (POSIX, 1):
            return self.field(entry, 64, 680)
        if kind in ((PNETCDF_FILE, 1), (PNETCDF_FILE, 2)):
            return self.field(entry, 16, 48 if entry.version == 1 else 64)
        if kind == (LUSTRE, 2):
            return self.hops(entry, 16, lambda counts: 32 + 72 * counts[0] + 8 * counts[1])
        if kind == (HEATMAP, 1):
            return self.hops(entry, 24, lambda counts: 48 + 16 * counts[0])
        return []

    def field(self, entry, at, size):
        """The number at `at` of each record of `size` bytes."""
        region = self.inflate(entry.offset, entry.length)
        return [self.unpack("q", region, start + at)[0] for start in range(0, len(region), size)]

    def hops(self, entry, at, size):
        """The number at `at` of each record, whose size follows from it and the one behind it."""
        region = self.inflate(entry.offset, entry.length)
        found, start = [], 0
        while start < len(region):
            counts = self.unpack("qq", region, start + at)
            found.append(counts[0])
            start += size(counts)
        return found

    def threads(self, entry):
        """The thread ids of a module of DXT, where it has them."""
        if (entry.id, entry.version) not in THREADED:
            return []
        region = self.inflate(entry.offset, entry.length)
        ids, at = [], 0
        for header, _ in self.threaded(region):
            count = sum(self.unpack("qq", header, 88))
            at += len(header)
            ids += [self.unpack("Q", region, at + 40 * i + 32)[0] for i in range(count)]
            at += 40 * count
        return ids
