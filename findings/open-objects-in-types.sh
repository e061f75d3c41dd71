#!/usr/bin/env bash
# From {"type": "object"}, which allows any member, openapi-typescript makes a type of no members, which openapi-fetch forbids to read; other generators make an open one.
# Versions: npm openapi-typescript 7.13.0, openapi-fetch 0.17.0, @hey-api/openapi-ts 0.99.0, orval 8.38.0, typescript 5.9.3.
# Guess: as in JSON Schema, where absent additionalProperties is true: all three give {[key: string]: unknown}.
# Seen on 2026-11-30: openapi-typescript gives Record<string, never>, of which openapi-fetch's Readable makes {}: reading the member that tells the forms of an answer apart is an error of the compiler; hey-api and orval give an open type. `additionalProperties: true` opens it.
# Prints the errors of a program that reads a member, for each generator; exits 1 if one has changed. Needs Node 20 with npm.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund openapi-typescript@7.13.0 openapi-fetch@0.17.0 @hey-api/openapi-ts@0.99.0 orval@8.38.0 typescript@5.9.3 >/dev/null
cat > api.json <<'JSON'
{"openapi":"3.1.1","info":{"title":"a","version":"1"},"paths":{"/a":{"get":{"operationId":"a","responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Block"}}}}}}}},
"components":{"schemas":{"Text":{"type":"object","properties":{"type":{"const":"text","type":"string"}},"required":["type"]},"Newer":{"type":"object"},"Block":{"anyOf":[{"$ref":"#/components/schemas/Text"},{"$ref":"#/components/schemas/Newer"}]}}}}
JSON
node_modules/.bin/openapi-typescript api.json -o typescript.ts >/dev/null 2>&1
node_modules/.bin/openapi-ts -i api.json -o hey -p @hey-api/typescript >/dev/null 2>&1
echo 'export default { a: { input: "./api.json", output: { target: "orval.ts", client: "fetch" } } };' > orval.config.mjs; node_modules/.bin/orval --config orval.config.mjs >/dev/null 2>&1
errors() { printf '%s\nexport const read = (block: Block): unknown => block.type;\n' "$2" > "$1.use.ts"; node_modules/.bin/tsc --noEmit --strict --target es2022 --module esnext --moduleResolution bundler --lib es2022,dom "$1.use.ts" | grep -c 'error TS2339' || true; }
a=$(errors a 'import createClient from "openapi-fetch"; import type { paths } from "./typescript"; const answer = await createClient<paths>().GET("/a"); type Block = NonNullable<typeof answer.data>;')
b=$(errors b 'import type { Block } from "./hey/types.gen";'); c=$(errors c 'import type { Block } from "./orval";')
echo "errors: openapi-typescript $a, hey-api $b, orval $c (1, 0, 0 on 2026-11-30)"
[ "$a $b $c" = "1 0 0" ]
