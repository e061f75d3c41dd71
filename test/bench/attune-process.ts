/** Attune as `attune serve` runs it, with a database on disk: keys, records and costs are all on. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { slowHeapGrowth } from "../../src/cli/slow-heap-growth.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { startService } from "../../src/main.ts";
import { createLog } from "../../src/observability/log.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { answerReadings } from "./measured-process.ts";
import { watchLoop } from "./watch-loop.ts";

const { BENCH_UPSTREAM: upstream = "", BENCH_FOLDER: folder = "", BENCH_MEMORY: memory } = process.env;
const { BENCH_LEARNING: learning = "observe" } = process.env;
const { BENCH_DATABASE: database = `sqlite:${join(folder, "attune.db")}` } = process.env;

function model(name: string, upstream: string, family = "chat"): string {
  return `  - name: ${name}
    family: ${family}
    purpose: bench
    contextWindow: 100000
    maxOutputTokens: 4096
    price: { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite5m: 1.5625, cacheWrite1h: 2.5 }
    deployments: [ { upstream: ${upstream}, model: bench } ]`;
}

writeFileSync(
  join(folder, "attune.yaml"),
  `
server: { port: 0 }
database: { url: "${database}" }
learning: { mode: ${learning} }
spool: { folder: "${join(folder, "spool")}" }
upstreams:
  up: { kind: openai-chat, baseUrl: "${upstream}" }
  up-paced: { kind: openai-chat, baseUrl: "${upstream}/paced" }
  up-held: { kind: openai-chat, baseUrl: "${upstream}/held" }
  up-streamed: { kind: openai-chat, baseUrl: "${upstream}", ask: stream }
models:
${model("bench", "up")}
${model("bench-streamed", "up-streamed")}
${model("bench-paced", "up-paced")}
${model("bench-held", "up-held")}
${model("bench-messages", "up", "messages")}
`,
);
if (memory !== "plain") slowHeapGrowth();
const config = loadConfig({}, folder);
const store = await openStore(config.database.url);
const { key } = await createKey(store, { name: "bench" });
const service = await startService({ config, store, log: createLog("warn") });
answerReadings(service.url, key, watchLoop());
process.on("SIGTERM", async () => {
  await service.close();
  await store.close();
  process.exit(0);
});
