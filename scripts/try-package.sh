#!/usr/bin/env bash
# Packs the project, installs the package into an empty folder given as the first argument, and runs its command line there.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
folder=$1/installed
mkdir -p "$folder"
(cd "$here" && npm pack --silent --pack-destination "$folder" >/dev/null)
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund ./attune-*.tgz
npx attune --help >/dev/null
npx attune check
ATTUNE_DATABASE_URL="sqlite:$folder/data/attune.db" npx attune migrate
ATTUNE_DATABASE_URL="sqlite:$folder/data/attune.db" npx attune keys create --name packed | grep -q att_
echo "npx attune works"
