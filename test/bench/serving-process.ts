/** Attune as `attune serve` runs it on either engine, with or without recording; tells how late its event loop is. */
import { registerHooks } from "node:module";
import { fitHeaps, lowerCompilers } from "../../src/cli/serve/fit-heaps.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { createLog } from "../../src/observability/log.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { answerReadings } from "./measured-process.ts";
import { watchLoop } from "./watch-loop.ts";

const { BENCH_FOLDER: folder = "", BENCH_RECORDING: recording, BENCH_QUIET: quiet } = process.env;

const RECORDER = new URL("../../src/store/write/recorder/recorder.ts", import.meta.url).href;
const DROPPING = new URL("./store/dropping-recorder.ts", import.meta.url).href;

// The service has no switch for this: here its module of the recorder is another one.
let drops = false;
if (recording === "off") {
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      if (resolved.url !== RECORDER) return resolved;
      drops = true;
      return { ...resolved, url: DROPPING };
    },
  });
}
const { startService } = await import("../../src/main.ts");
if (recording === "off" && !drops) throw new Error("the recorder is another module: nothing was put in its place");

fitHeaps();
lowerCompilers();
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
