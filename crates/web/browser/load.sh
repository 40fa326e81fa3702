#!/bin/sh
# Load benchmarks, server and load on this machine: moves alternating with boardgame.io, pages,
# event streams and memory.
set -eu
cargo build --release --quiet -p papan
release="${CARGO_TARGET_DIR:-target}/release"
folder=$(sh crates/web/browser/setup.sh | tail -n 1)
[ -d "$folder/node_modules/boardgame.io" ] ||
    (cd "$folder" && npm install --no-fund --no-audit --silent boardgame.io@0.50 socket.io-client@4)
ulimit -n 20000
data=$(mktemp -d)
address=127.0.0.1:7271
"$release/papan" serve --listen "$address" --data "$data" --log error --changes-per-second 1000000 --reads-per-second 1000000 \
    --connections-per-address 10000 --connections 20000 --streams-per-address 10000 >/dev/null &
server=$!
trap 'kill "$server"; rm -rf "$data"' EXIT
sleep 1
load() { cargo bench --quiet -p papan-web --bench load -- "$1" "http://$address"; }
for _ in 1 2 3; do
    load moves
    node crates/web/browser/boardgame_io.mjs
done
load pages
load pages
load streams
load streams
grep VmHWM "/proc/$server/status"
