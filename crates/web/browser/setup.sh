#!/bin/sh
# Installs playwright-core and axe-core from npm into a cache folder outside the repository.
# `cargo xtask test` installs Debian's packages nodejs, npm and chromium before.
set -eu
folder="${PAPAN_BROWSER_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/papan/browser}"
mkdir -p "$folder"
cd "$folder"
[ -f package.json ] || echo '{"private":true}' > package.json
[ -d node_modules/playwright-core ] && [ -d node_modules/axe-core ] ||
    npm install --no-fund --no-audit playwright-core@1 axe-core@4
echo "$folder"
