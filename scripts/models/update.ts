/**
 * Makes src/catalog/lists/models.jsonl anew of LiteLLM's and genai-prices' packages, whose versions stand below; needs
 * python3 with venv. Usage: node scripts/models/update.ts
 */
import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildLists, type GenaiModel } from "../../src/catalog/lists/build-lists.ts";

const SOURCES = [
  { name: "litellm", version: "1.110.2", date: "2026-11-29" },
  { name: "genai-prices", version: "0.2.3", date: "2026-11-29" },
] as const;

const TARGET = join(import.meta.dirname, "..", "..", "src", "catalog", "lists", "models.jsonl");

const folder = mkdtempSync(join(tmpdir(), "attune-models-"));
try {
  execFileSync("python3", ["-m", "venv", join(folder, "venv")]);
  const pip = (...args: readonly string[]) => execFileSync(join(folder, "venv/bin/pip"), ["-q", ...args]);
  const [litellm, genai] = SOURCES.map(({ name, version }) => `${name}==${version}`) as [string, string];
  pip("install", genai);
  // Its map alone is needed, and none of its packages.
  pip("install", "--no-deps", "--target", join(folder, "litellm"), litellm);
  const [map] = globSync(join(folder, "litellm/litellm/model_prices_and_context_window_backup.json"));
  if (map === undefined) throw new Error("the package of LiteLLM has no map of models");
  const script = join(import.meta.dirname, "genai-prices.py");
  const told = execFileSync(join(folder, "venv/bin/python"), [script], { maxBuffer: 2 ** 27 }).toString();
  const lines = buildLists(JSON.parse(readFileSync(map, "utf8")), JSON.parse(told) as GenaiModel[], SOURCES);
  writeFileSync(TARGET, lines);
  console.log(`${lines.split("\n").length - 2} models, ${(lines.length / 2 ** 20).toFixed(2)} MiB`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
