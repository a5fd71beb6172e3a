# Writes 4 MiB into a file every second, by the clock: what one phase takes does not move the next. Ends
# with the program that started it.
import os
import sys
import time

out = os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY)
start, parent = time.monotonic(), os.getppid()
for phase in range(1, 600):
    if os.getppid() != parent:
        break
    for _ in range(4):
        os.pwrite(out, b"x" * (1 << 20), 0)
    time.sleep(max(0, start + phase - time.monotonic()))
