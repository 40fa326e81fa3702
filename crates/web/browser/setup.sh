#!/bin/sh
# Installs what the browser tests need: Debian's Chromium, and playwright-core and
# axe-core from npm into a folder outside the repository.
set -eu
folder="${PAPAN_BROWSER_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/papan/browser}"
command -v chromium >/dev/null || { apt-get update -q && apt-get install -y -q --no-install-recommends chromium; }
command -v npm >/dev/null || apt-get install -y -q --no-install-recommends nodejs npm
mkdir -p "$folder"
cd "$folder"
[ -f package.json ] || echo '{"private":true}' > package.json
[ -d node_modules/playwright-core ] && [ -d node_modules/axe-core ] ||
    npm install --no-fund --no-audit playwright-core@1 axe-core@4
echo "$folder"
