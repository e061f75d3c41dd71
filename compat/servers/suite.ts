import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aimock } from "./aimock.ts";
import { claudeCodeRouter } from "./claude-code-router.ts";
import { infinity } from "./infinity.ts";
import { litellm } from "./litellm.ts";
import { litserve } from "./litserve.ts";
import { llamaServer } from "./llama-server.ts";
import { mlxLm } from "./mlx-lm.ts";
import { ollama } from "./ollama.ts";
import { playServer } from "./play.ts";
import { portkey } from "./portkey.ts";
import { writeReport } from "./report.ts";
import type { TestedServer } from "./server.ts";
import { tensorzero } from "./tensorzero.ts";
import { transformers } from "./transformers.ts";
import { vllm } from "./vllm.ts";
import { xllamacpp } from "./xllamacpp.ts";

const SERVERS: readonly TestedServer[] = [
  llamaServer,
  transformers,
  vllm,
  ollama,
  mlxLm,
  litserve,
  portkey,
  litellm,
  tensorzero,
  claudeCodeRouter,
  aimock,
  xllamacpp,
  infinity,
];

/**
 * Runs servers of registries behind Attune and writes what held into docs/compatibility.md; `--record` among the names
 * writes the bytes of their answers into test/fixtures/servers. Returns whether all cells held.
 */
export async function run(words: readonly string[]): Promise<boolean> {
  const names = words.filter((word) => word !== "--record");
  const unknown = names.filter((name) => !SERVERS.some((server) => server.name === name));
  const known = SERVERS.map(({ name }) => name).join(", ");
  if (unknown.length > 0) throw new Error(`no server ${unknown.join(", ")}; known: ${known}`);
  let failed = 0;
  for (const server of SERVERS) {
    if (names.length > 0 && !names.includes(server.name)) continue;
    const folder = mkdtempSync(join(tmpdir(), `attune-compat-${server.name}-`));
    try {
      failed += writeReport(server, await playServer(server, folder, words.includes("--record")));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return failed === 0;
}
