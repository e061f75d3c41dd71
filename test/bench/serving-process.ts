/** Attune as `attune serve` runs it on either engine, with or without recording; tells how late its event loop is. */
import { registerHooks } from "node:module";
import { slowHeapGrowth } from "../../src/cli/slow-heap-growth.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { createLog } from "../../src/observability/log.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { answerReadings } from "./measured-process.ts";
import { watchLoop } from "./watch-loop.ts";

const { BENCH_FOLDER: folder = "", BENCH_RECORDING: recording, BENCH_QUIET: quiet } = process.env;

// The service has no switch for this: here its module of the recorder is another one.
if (recording === "off") {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier.endsWith("/store/write/recorder/recorder.ts")
        ? {
            url: new URL("./store/dropping-recorder.ts", import.meta.url).href,
            shortCircuit: true,
            format: "module-typescript",
          }
        : next(specifier, context),
  });
}
const { startService } = await import("../../src/main.ts");

slowHeapGrowth();
const config = loadConfig({}, folder);
const store = await openStore(config.database.url);
const { key } = await createKey(store, { name: "bench" });
const service = await startService({ config, store, log: createLog(quiet === "1" ? "silent" : "warn") });
answerReadings(service.url, key, watchLoop());
process.on("SIGTERM", async () => {
  await service.close();
  await store.close();
  process.exit(0);
});
