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
            compressed = zlib.compress(region) if region else b""
            struct.pack_into(self.order + "QQ", header, at, self.size + len(body), len(compressed))
            body.extend(compressed)

        place(self.inflate(*self.names), self.names_at)
        for entry in self.modules:
            region = self.inflate(entry.offset, entry.length)
            older = THREADED.get((entry.id, entry.version))
            if older:
                region = b"".join(self.without_threads(region))
                at = self.versions_at + 4 * entry.slot
                struct.pack_into(self.order + "I", header, at, older)
            place(region, self.map_at + 16 * entry.slot)
        return bytes(header + body)

    def without_threads(self, region):
        """Records of DXT with the thread id cut from each of their segments."""
        for record in self.split(region, 88, 104, 40, 40):
            yield record[:104]
            yield from (record[at : at + 32] for at in range(104, len(record), 40))

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
            return [self.unpack("q", record, 16)[0] for record in self.layouts(entry)]
        if kind == (HEATMAP, 1):
            region = self.inflate(entry.offset, entry.length)
            return [self.unpack("q", record, 24)[0] for record in self.split(region, 24, 48, 16)]
        return []

    def field(self, entry, at, size):
        """The number at `at` of each record of `size` bytes."""
        region = self.inflate(entry.offset, entry.length)
        return [self.unpack("q", region, start + at)[0] for start in range(0, len(region), size)]

    def split(self, region, at, header, *sizes):
        """Records of `header` bytes, then as many things of each size as the counts at `at` say."""
        start = 0
        while start < len(region):
            counts = self.unpack("q" * len(sizes), region, start + at)
            end = start + header + sum(count * size for count, size in zip(counts, sizes))
            yield region[start:end]
            start = end

    def layouts(self, entry):
        """The records of LUSTRE 2: components, then targets."""
        return self.split(self.inflate(entry.offset, entry.length), 16, 32, 72, 8)

    def own(self, entry):
        """What libdarshan cannot tell at all: the thread ids of segments, and the targets of
        layouts with a component that is not used, up to the last that belongs to one that is."""
        kind, words = (entry.id, entry.version), []
        if kind in THREADED:
            region = self.inflate(entry.offset, entry.length)
            for record in self.split(region, 88, 104, 40, 40):
                words += [self.unpack("Q", record, at)[0] for at in range(136, len(record), 40)]
        if kind == (LUSTRE, 2):
            for record in self.layouts(entry):
                words += self.targets(record)
        return words

    def targets(self, record):
        """The targets of a LUSTRE record with an unused component; none for other records."""
        components = self.unpack("q", record, 16)[0]
        sizes = [self.unpack("qq", record, 32 + 72 * index) for index in range(components)]
        used = next((index for index, (size, _) in enumerate(sizes) if size == -1), None)
        if used is None:
            return []
        stripes = sum(count for _, count in sizes[:used])
        return list(self.unpack(f"{stripes}Q", record, 32 + 72 * components))
