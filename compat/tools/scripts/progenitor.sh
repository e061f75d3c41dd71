#!/usr/bin/env bash
# progenitor 0.15.1
root="${PROGENITOR_ROOT:-$PWD/root}"
[ -x "$root/bin/cargo-progenitor" ] || cargo install cargo-progenitor --version 0.15.1 --root "$root" --locked >install.log 2>&1
generate() { timeout 300 "$root/bin/cargo-progenitor" progenitor --input "$1" --output "$2" --name attune-client --version 0.1.0 >"$2.log" 2>&1; }
told() { grep -m 1 -E '^(Error:|assertion failed)' "$1" || tail -n 1 "$1"; }
generate "$ATTUNE_ROOT/docs/openapi.json" whole && echo "held generates of OpenAPI 3.1" || echo "failed generates of OpenAPI 3.1: $(told whole.log)"
cat > older.mjs <<'JS'
// Writes the document as OpenAPI 3.0: `const`, `type: [.., "null"]` and forms that are null have other words there.
import { readFileSync, writeFileSync } from "node:fs";
const isNull = (schema) => schema?.type === "null";
function older(value) {
  if (Array.isArray(value)) return value.map(older);
  if (typeof value !== "object" || value === null) return value;
  const { const: only, ...rest } = value;
  const out = Object.fromEntries(Object.entries(rest).map(([name, each]) => [name, older(each)]));
  if (only !== undefined && typeof value.type === "string") out.enum = [only];
  if (Array.isArray(value.type)) Object.assign(out, { type: value.type.find((type) => type !== "null"), nullable: true });
  if (isNull(value)) return { nullable: true, description: value.description };
  for (const name of ["anyOf", "oneOf"]) {
    if (!Array.isArray(value[name]) || !value[name].some(isNull)) continue;
    const left = value[name].filter((each) => !isNull(each)).map(older);
    delete out[name];
    Object.assign(out, left.length > 1 ? { [name]: left } : "$ref" in left[0] ? { allOf: left } : left[0], { nullable: true });
  }
  return out;
}
const { webhooks, jsonSchemaDialect, ...document } = older(JSON.parse(readFileSync(process.argv[2], "utf8")));
writeFileSync("older.json", JSON.stringify({ ...document, openapi: "3.0.3" }));
JS
node older.mjs "$ATTUNE_ROOT/docs/openapi.json"
generate older.json older && echo "held generates of the document turned to OpenAPI 3.0" || echo "failed generates of the document turned to OpenAPI 3.0: $(told older.log)"
