import { WRITE_LIMIT_MS, withStatementLimit } from "../../database/statement-limit.ts";
import { DEFAULT_PROJECT } from "../../entities/project.ts";
import type { Store } from "../../types/store.ts";
import { writeBatch } from "../recorder/write-batch.ts";
import type { DrainSink } from "./drainer.ts";

/** Creates the sink that writes to a database, once it is open. */
export function createStoreSink(open: () => Promise<Store>): DrainSink {
  return {
    write: (batch) => withStatementLimit(WRITE_LIMIT_MS, async () => await writeBatch(await open(), batch)),
    isDataFault,
    /** Writes a row as it already is. */
    async probe() {
      const { id, name } = DEFAULT_PROJECT;
      const store = await open();
      await store.query().updateTable("Project").set({ name }).where("id", "=", id).execute();
    },
  };
}

/** SQLSTATE classes that tell of the values: data exceptions, violated constraints, and limits of the engine. */
const POSTGRES_CLASSES: ReadonlySet<string> = new Set(["22", "23", "54"]);
/** SQLITE_TOOBIG, SQLITE_CONSTRAINT, SQLITE_MISMATCH. */
const SQLITE_CODES: ReadonlySet<number> = new Set([18, 19, 20]);

/**
 * Tells whether a write failed because of what was written, so that it would fail again. All else passes or has to be
 * mended in the database: locks, connections, full disks, missing rights, a schema that is not the one of this version.
 */
export function isDataFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("errcode" in error && typeof error.errcode === "number") return SQLITE_CODES.has(error.errcode & 0xff);
  if ("severity" in error && "code" in error && typeof error.code === "string") {
    return POSTGRES_CLASSES.has(error.code.slice(0, 2));
  }
  // The values could not even be put into a statement.
  return error instanceof TypeError || error instanceof RangeError;
}
