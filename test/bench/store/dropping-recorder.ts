import type { StoreRecorder } from "../../../src/store/write/recorder/store-recorder.ts";

/** Stands in for the module of the recorder where the bench serves without recording: everything is dropped. */
export function createRecorder(): StoreRecorder {
  const nothing = { queued: 0, spoolBytes: 0, unspooled: 0, written: 0, dropped: 0, droppedBodies: 0 };
  return {
    accepting: true,
    folder: "",
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
