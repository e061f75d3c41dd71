#!/usr/bin/env bash
# Repairers of JSON give a judge's number another value without an error: json_repair reads −4, with the minus sign that prose has (U+2212), as 4.
# Versions: PyPI json_repair 0.64.6, dirtyjson 1.0.8, jiter 0.19.0 (partial_mode); npm jsonrepair 3.15.0, best-effort-json-parser 1.5.1, partial-json 0.1.7, ai 7.0.173 (parsePartialJson).
# Guess: what is no number becomes a text in all, which a check of the type finds, or they throw.
# Seen on 2026-12-01: json_repair gives 4 for −4 and for ~4, jsonrepair texts. 4/5 is "4/5" to json_repair, 4 to jiter and best-effort-json-parser, .8 to dirtyjson. 1,000 is 1 to partial-json, the AI SDK and best-effort-json-parser, and "1,000" to json_repair.
# Prints the readings of {"score": NUMBER}; exits 1 if one has changed. Needs Node 20 with npm, and python3 with venv.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund jsonrepair@3.15.0 best-effort-json-parser@1.5.1 partial-json@0.1.7 ai@7.0.173 zod@4 >/dev/null
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check json_repair==0.64.6 dirtyjson==1.0.8 jiter==0.19.0
cat > read.py <<'PY'
import json, sys, dirtyjson, jiter, json_repair
readers = {"json_repair": json_repair.loads, "dirtyjson": dirtyjson.loads, "jiter": lambda text: jiter.from_json(text.encode(), partial_mode=True)}
for number in json.loads(sys.argv[1]):
    for name, read in readers.items():
        try: seen = json.dumps(read('{"score": ' + number + "}")["score"], ensure_ascii=False)
        except Exception: seen = "none"
        print(name, number, seen, sep="|")
PY
cat > run.mjs <<'JS'
import { execFileSync } from "node:child_process"; import { parsePartialJson } from "ai"; import { parse as best } from "best-effort-json-parser"; import { jsonrepair } from "jsonrepair"; import { parse as partial } from "partial-json";
console.log = ((log) => (...args) => typeof args[0] === "string" && !args[0].startsWith("parsed json") && log(...args))(console.log); console.error = () => {};
const expected = { // json_repair, dirtyjson, jiter, jsonrepair, best-effort-json-parser, partial-json, AI SDK
  "−4": ["4", "none", "none", '"−4"', '"−4}"', "none", "none"], "~4": ["4", "none", "none", '"~4"', '"~4}"', "none", "none"],
  "4/5": ['"4/5"', "0.8", "4", "none", "4", "none", "none"], "1,000": ['"1,000"', "none", "none", "none", "1", "1", "1"],
};
const numbers = Object.keys(expected), names = ["json_repair", "dirtyjson", "jiter", "jsonrepair", "best-effort-json-parser", "partial-json", "AI SDK"];
const seen = Object.fromEntries(execFileSync("venv/bin/python", ["read.py", JSON.stringify(numbers)], { encoding: "utf8" }).trim().split("\n").map((line) => line.split("|")).map(([name, number, value]) => [`${name} ${number}`, value]));
const readers = { jsonrepair: (text) => JSON.parse(jsonrepair(text)), "best-effort-json-parser": best, "partial-json": partial, "AI SDK": async (text) => (await parsePartialJson(text)).value };
for (const number of numbers) for (const [name, read] of Object.entries(readers)) { let value; try { value = (await read(`{"score": ${number}}`))?.score; } catch {} seen[`${name} ${number}`] = JSON.stringify(value) ?? "none"; }
let changed = false;
for (const number of numbers) for (const [at, name] of names.entries()) { const value = seen[`${name} ${number}`], wanted = expected[number][at]; changed ||= value !== wanted; console.log(`${value === wanted ? "as seen" : "CHANGED"}: ${name}: ${number} is ${value} (${wanted} on 2026-12-01)`); }
process.exit(changed ? 1 : 0);
JS
node run.mjs
