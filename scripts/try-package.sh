#!/usr/bin/env bash
# Makes a release, installs its archive into an empty folder given as the first argument, and runs its command line there
# with the Node that the project pins, and none of its packages.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
folder=$1/installed
mkdir -p "$folder" "$1/node"
(cd "$here" && npm run -s release -- "$1/release")
ln -s "$(readlink -f "$here/node_modules/.bin/node")" "$1/node/node"
PATH=$1/node:$PATH
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --offline "$1"/release/attune-*.tgz
npx attune --help >/dev/null
printf 'server: { adminPort: 18275 }\n' >attune.yaml
npx attune check
ATTUNE_DATABASE_URL="sqlite:$folder/data/attune.db" npx attune migrate
ATTUNE_DATABASE_URL="sqlite:$folder/data/attune.db" npx attune keys create --name packed | grep -q att_

# It serves, writes records from a thread of its own, and has the dashboard.
export ATTUNE_PORT=18274 ATTUNE_DATABASE_URL="sqlite:$folder/data/attune.db"
key=$(npx attune keys create --name serving 2>/dev/null)
setsid npx attune serve >serve.log 2>&1 &
server=$!
trap 'kill -- -"$server" 2>/dev/null || true; cat serve.log' ERR
answers() {
  for _ in $(seq 240); do
    "$@" 2>/dev/null && return
    sleep 0.5
  done
  return 1
}
answers curl -sSf -o answer.json "http://127.0.0.1:$ATTUNE_PORT/v1/responses" -H "authorization: Bearer $key" \
  -H "content-type: application/json" -d '{"model": "attune/gpt-6-astra", "input": "Hello"}'
is_written() { curl -sSf "http://127.0.0.1:18275/metrics" | grep -q '^attune_recorder_written_total 1$'; }
answers is_written
answers curl -sSf -o /dev/null "http://127.0.0.1:$ATTUNE_PORT/dashboard/"
# A log gets no secret: it says how to come to one, and which call to make with it.
if grep -E 'att_[0-9a-z]{12}_|token=' serve.log; then false; fi
grep -q 'users create-owner' serve.log
sed -n '/^ *curl /,/[^\\]$/p' serve.log >curl.sh
ATTUNE_KEY=$key bash curl.sh | grep -q '"id"'
kill -TERM -- -"$server"
wait "$server" || true
echo "npx attune works"
