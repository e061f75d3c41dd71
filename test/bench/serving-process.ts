/** Attune as `attune serve` runs it on either engine, with or without recording; tells how late its event loop is. */
import { registerHooks } from "node:module";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { slowHeapGrowth } from "../../src/cli/slow-heap-growth.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { createLog } from "../../src/observability/log.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { answerReadings } from "./measured-process.ts";

const { BENCH_FOLDER: folder = "", BENCH_RECORDING: recording, BENCH_QUIET: quiet } = process.env;
const RESOLUTION_MS = 1;

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
const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
histogram.enable();
answerReadings(service.url, key, () => {
  // What is measured is the time from timer to timer, which is never shorter than the resolution.
  const ms = (nanos: number) => Math.max(0, nanos / 1e6 - RESOLUTION_MS);
  const loopDelay = {
    p50Ms: ms(histogram.percentile(50)),
    p99Ms: ms(histogram.percentile(99)),
    maxMs: ms(histogram.max),
  };
  histogram.reset();
  return { loopDelay };
});
process.on("SIGTERM", async () => {
  await service.close();
  await store.close();
  process.exit(0);
});
