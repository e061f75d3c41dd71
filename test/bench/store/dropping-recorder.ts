import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { newId } from "../../../src/lib/ids.ts";
import type { StoreRecorder } from "../../../src/store/write/recorder/store-recorder.ts";

/** Stands in for the module of the recorder where the bench serves without recording: everything is dropped. */
export function createRecorder(): StoreRecorder {
  // Processes of one host find each other by the folders of their spools.
  const folder = join(process.env["BENCH_FOLDER"] ?? "", "spool", newId());
  mkdirSync(folder, { recursive: true });
  const nothing = { queued: 0, spoolBytes: 0, unspooled: 0, written: 0, dropped: 0, droppedBodies: 0 };
  return {
    accepting: true,
    folder,
    adopt() {},
    offer() {},
    offerProvisional() {},
    offerFeedback: () => true,
    find: () => undefined,
    pending: () => undefined,
    flush: async () => {},
    close: async () => {},
    stats: () => ({ ...nothing, failedWrites: 0, rejected: 0, brokenBytes: 0, database: "ok" }),
  };
}
