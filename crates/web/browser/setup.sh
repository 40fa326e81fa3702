#!/bin/sh
# Installs what the browser tests need from npm, playwright-core and axe-core, into a
# folder outside the repository. node, npm and Chromium are there: `cargo xtask test`
# installs Debian's packages nodejs, npm and chromium.
set -eu
folder="${PAPAN_BROWSER_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/papan/browser}"
mkdir -p "$folder"
cd "$folder"
[ -f package.json ] || echo '{"private":true}' > package.json
[ -d node_modules/playwright-core ] && [ -d node_modules/axe-core ] ||
    npm install --no-fund --no-audit playwright-core@1 axe-core@4
echo "$folder"
