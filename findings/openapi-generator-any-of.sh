#!/usr/bin/env bash
# openapi-generator merges the forms of an `anyOf` into one type that requires the members of all: TypeScript's client throws at each answer, Rust's can't read one.
# Versions: PyPI openapi-generator-cli 7.26.0 (it brings the jar), typescript-fetch, rust and python; npm typescript 5.9.3.
# OpenAPI 3.0.3 and JSON Schema: a value of `anyOf` is valid against one form or more, so that no member need be there that another form requires.
# Guess: all three give a union, as they do for `oneOf`; Rust's takes the first form that fits.
# Seen on 2026-12-01: Python's reads both forms. TypeScript's reads `parts` of a picture, which has none, and Rust's struct has `url: String` beside `parts: Vec`, both without Option. With `oneOf` both give a union, but where a form is a map of the union itself TypeScript's imports ./any, which is nowhere, until --generate-alias-as-model is given.
# Prints what each makes of it; exits 1 if that has changed. Needs Node 20 with npm, python3 with venv, and Java.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >npm.log && npm install --silent --no-audit --no-fund typescript@5.9.3 >>npm.log
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check openapi-generator-cli==7.26.0 pydantic==2.12.4 python-dateutil==2.9.0.post0 urllib3==2.7.0
cat > api.json <<'J'
{"openapi": "3.0.3", "info": {"title": "t", "version": "1"},
 "paths": {"/item": {"get": {"operationId": "getItem", "responses": {"200": {"description": "An item", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Item"}}}}}}}},
 "components": {"schemas": {
  "Item": {"UNION": [{"$ref": "#/components/schemas/Words"}, {"$ref": "#/components/schemas/Picture"}]},
  "Words": {"type": "object", "required": ["type", "parts"], "properties": {"type": {"type": "string", "enum": ["words"]}, "parts": {"type": "array", "items": {"$ref": "#/components/schemas/Part"}}}},
  "Picture": {"type": "object", "required": ["type", "url"], "properties": {"type": {"type": "string", "enum": ["picture"]}, "url": {"type": "string"}}},
  "Part": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}}}}
J
sed 's/UNION/anyOf/' api.json > anyOf.json; sed 's/UNION/oneOf/' api.json > oneOf.json
sed 's/UNION/oneOf/; s/schemas\/Picture/schemas\/Group/; s/"Words": {/"Group": {"type": "object", "additionalProperties": {"$ref": "#\/components\/schemas\/Item"}}, &/' api.json > map.json
generate() { venv/bin/openapi-generator-cli generate -i "$1.json" -g "$2" -o "$1-$2" --additional-properties=packageName=client "${@:3}" >generate.log 2>&1 || cat generate.log; }
changed=0
check() { if [ "$2" = "$3" ]; then echo "as seen: $1: $2"; else echo "CHANGED: $1: $2 ($3 on 2026-12-01)"; changed=1; fi; }
compile() { node_modules/.bin/tsc --strict --target es2022 --lib es2022,dom --module nodenext --moduleResolution nodenext --outDir "$1-js" "$1-typescript-fetch/index.ts" >tsc.log 2>&1 && echo compiles || grep -o "Cannot find module '[^']*'" tsc.log | cut -d"'" -f2 | sort -u | xargs; }
cat > read.cjs <<'JS'
const { ItemFromJSON } = require(`./${process.argv[2]}-js/index.js`);
const read = (item) => { try { return JSON.stringify(ItemFromJSON(item)) === JSON.stringify(item) ? "read" : "another value"; } catch { return "throws"; } };
console.log(`words ${read({ type: "words", parts: [{ text: "a" }] })}, a picture ${read({ type: "picture", url: "b" })}`);
JS
cat > read.py <<'PY'
import json, sys
sys.path.insert(0, "anyOf-python")
from client.models.item import Item
def read(item): return "read" if json.loads(Item.from_json(json.dumps(item)).to_json()) == item else "another value"
print(f"words {read({'type': 'words', 'parts': [{'text': 'a'}]})}, a picture {read({'type': 'picture', 'url': 'b'})}")
PY
for union in anyOf oneOf; do for language in typescript-fetch rust; do generate $union $language; done; done
generate anyOf python; generate map typescript-fetch
rust() { grep -o 'pub \(struct\|enum\) Item\|pub [a-z]*: [A-Z].*[^,]\|^    [A-Z][a-z]*(.*)' "$1-rust/src/models/item.rs" | xargs; }
check "anyOf, python" "$(venv/bin/python read.py)" "words read, a picture read"
check "anyOf, typescript-fetch" "$(compile anyOf)" "compiles"
check "anyOf, typescript-fetch reads" "$(node read.cjs anyOf)" "words read, a picture throws"
check "anyOf, rust" "$(rust anyOf)" "pub struct Item pub parts: Vec<models::Part> pub url: String"
check "oneOf, typescript-fetch" "$(compile oneOf)" "compiles"
check "oneOf, typescript-fetch reads" "$(node read.cjs oneOf)" "words read, a picture read"
check "oneOf, rust" "$(rust oneOf)" "pub enum Item Words(Box<models::Words>) Picture(Box<models::Picture>)"
check "oneOf with a map, typescript-fetch" "$(compile map)" "./any"
rm -r map-typescript-fetch; generate map typescript-fetch --generate-alias-as-model
check "the same with --generate-alias-as-model" "$(compile map)" "compiles"
exit $changed
