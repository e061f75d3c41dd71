#!/usr/bin/env bash
# zod's fromJSONSchema reads draft 2020-12 otherwise than six validators, without an error, and breaks what its own toJSONSchema wrote of letters.
# Versions: npm zod 4.6.7, ajv 8.20.0, @cfworker/json-schema 4.1.6; PyPI jsonschema 4.26.0, jsonschema-rs 0.61.2.
# Guess: what it cannot read throws, as it does at dependentRequired, and the rest reads as draft 2020-12 says.
# Seen on 2026-11-30: members beside $ref are dropped (draft 4's rule); patterns are read without Unicode, so ^\p{L}+$ refuses "é" and ^.$ an emoji; the integer 1e20 is refused. zod's own z.string().regex(/^\p{L}+$/u) does not survive toJSONSchema and back.
# Prints the readings; exits 1 if one has changed. Needs Node 20 with npm, and python3 with venv.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund zod@4.6.7 ajv@8.20.0 @cfworker/json-schema@4.1.6 >/dev/null
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check jsonschema==4.26.0 jsonschema-rs==0.61.2
cat > cases.json <<'JSON'
[["beside $ref", {"$defs":{"text":{"type":"string"}},"$ref":"#/$defs/text","maxLength":1}, "ab", false],
 ["letters", {"type":"string","pattern":"^\\p{L}+$"}, "é", true],
 ["one character", {"type":"string","pattern":"^.$"}, "😀", true],
 ["integer", {"type":"integer"}, 1e20, true]]
JSON
cat > check.py <<'PY'
import json, jsonschema, jsonschema_rs
for name, schema, value, _ in json.load(open("cases.json")):
    # Python's own engine has no \p.
    if name != "letters": print("jsonschema", name, jsonschema.Draft202012Validator(schema).is_valid(value), sep="|")
    print("jsonschema-rs", name, jsonschema_rs.is_valid(schema, value), sep="|")
PY
cat > run.mjs <<'JS'
import { execFileSync } from "node:child_process"; import fs from "node:fs"; import { Validator } from "@cfworker/json-schema"; import Ajv from "ajv/dist/2020.js"; import { z } from "zod";
const cases = JSON.parse(fs.readFileSync("cases.json", "utf8")); const lines = execFileSync("venv/bin/python", ["check.py"], { encoding: "utf8" }).trim().split("\n").map((line) => line.split("|"));
let changed = false;
const note = (reader, name, seen, expected) => { changed ||= seen !== expected; console.log(`${seen === expected ? "as seen" : "CHANGED"}: ${reader}: ${name}: ${seen} (${expected} on 2026-11-30)`); };
for (const [name, schema, value, right] of cases) {
  note("ajv", name, new Ajv.default({ strict: false }).validate(schema, value), right);
  note("@cfworker/json-schema", name, new Validator(schema, "2020-12").validate(value).valid, right);
  for (const [reader, of, seen] of lines) if (of === name) note(reader, name, seen === "True", right);
  note("zod", name, z.fromJSONSchema(schema).safeParse(value).success, !right);
}
const letters = z.string().regex(/^\p{L}+$/u);
note("zod", "its own letters, there", letters.safeParse("é").success, true); note("zod", "its own letters, there and back", z.fromJSONSchema(z.toJSONSchema(letters)).safeParse("é").success, false);
process.exit(changed ? 1 : 0);
JS
node run.mjs
