/** Attune as `attune serve` runs it, with a database on disk: keys, records and costs are all on. */

import { fitHeaps, lowerCompilers } from "../../src/cli/serve/fit-heaps.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { startService } from "../../src/main.ts";
import { createLog } from "../../src/observability/log.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { answerReadings } from "./measured-process.ts";
import { watchLoop } from "./watch-loop.ts";
import { writeConfig } from "./write-config.ts";

const { BENCH_UPSTREAM: upstream = "", BENCH_FOLDER: folder = "", BENCH_MEMORY: memory } = process.env;

const { BENCH_DATABASE: database, BENCH_LEARNING: learning, BENCH_SHADOW: shadow } = process.env;

writeConfig({ folder, upstream, database, learning, shadow });
if (memory !== "plain") fitHeaps();
lowerCompilers();
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
