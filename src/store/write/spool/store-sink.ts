import { DEFAULT_PROJECT } from "../../entities/project.ts";
import type { Store } from "../../types/store.ts";
import { writeBatch } from "../recorder/write-batch.ts";
import type { DrainSink } from "./drainer.ts";
import { isDataFault } from "./is-data-fault.ts";

/** Creates the sink that writes to a database, once it is open. */
export function createStoreSink(open: () => Promise<Store>): DrainSink {
  return {
    write: async (batch) => writeBatch(await open(), batch),
    isDataFault,
    /** Writes a row as it already is. */
    async probe() {
      const { id, name } = DEFAULT_PROJECT;
      const store = await open();
      await store.query().updateTable("Project").set({ name }).where("id", "=", id).execute();
    },
  };
}
