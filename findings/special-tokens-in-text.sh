#!/usr/bin/env bash
# gpt-tokenizer throws at ordinary text for a token that its encoding does not have: "<|im_start|>" in o200k_base and cl100k_base.
# Versions: npm gpt-tokenizer 4.0.0, js-tiktoken 1.0.21.
# Guess: both throw at the special tokens of an encoding alone (for these two <|endoftext|>, <|endofprompt|> and the <|fim_...|> of cl100k), and count other text.
# Seen on 2026-11-30: js-tiktoken counts "<|im_start|>user" as text, 7 tokens; gpt-tokenizer throws, so counting a prompt that quotes ChatML fails.
# Prints both counts; exits 1 if one has changed. Needs Node 20 with npm.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund gpt-tokenizer@4.0.0 js-tiktoken@1.0.21 >/dev/null
cat > run.mjs <<'JS'
import * as cl100k from "gpt-tokenizer/encoding/cl100k_base"; import * as o200k from "gpt-tokenizer/encoding/o200k_base"; import { getEncoding } from "js-tiktoken";
const text = "<|im_start|>user"; const count = (encode) => { try { return String(encode(text).length); } catch { return "throws"; } };
let changed = false;
for (const [name, gpt] of Object.entries({ o200k_base: o200k, cl100k_base: cl100k })) {
  const tiktoken = getEncoding(name);
  for (const [reader, encode, expected] of [["js-tiktoken", (of) => tiktoken.encode(of), "7"], ["gpt-tokenizer", (of) => gpt.encode(of), "throws"]]) { const seen = count(encode); changed ||= seen !== expected; console.log(`${seen === expected ? "as seen" : "CHANGED"}: ${reader}, ${name}: ${seen} (${expected} on 2026-11-30)`); }
}
process.exit(changed ? 1 : 0);
JS
node run.mjs
