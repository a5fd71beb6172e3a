#!/bin/sh
# A small program with a rhythm: computes for a while, then writes a checkpoint, ten times.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for step in 1 2 3 4 5 6 7 8 9 10; do
    sleep 0.3
    dd if=/dev/zero of="$folder/checkpoint.$step" bs=1048576 count=8 status=none
done
