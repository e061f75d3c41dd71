import { setTimeout as delay } from "node:timers/promises";
import type { Store } from "../types/store.ts";
import type { OnSlowMigration } from "./migrate.ts";
import { openStore, type StoreOptions } from "./open-store.ts";

/** The options of waiting for a database. */
export interface WaitOptions extends Pick<StoreOptions, "namesPerProject" | "quotas"> {
  /** The time for which tries are repeated; the last one may take some seconds more. */
  readonly waitMs: number;
  /** Told of each try that failed and is repeated. */
  onWait(error: Error): void;
  readonly onSlowMigration?: OnSlowMigration;
}

const PAUSE_MS = 1000;

/** Nobody listens yet, the name is not yet known, or the network is not yet up: codes of Node. */
const UNREACHABLE = [
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
];
/** None of the hosts is of the kind that is asked for: one may become so. */
const OTHER_ROLE = ["ESERVERROLE"];
/** It takes connections, and does not answer them. */
const SILENT = ["DATABASE_TIMEOUT"];
/** PostgreSQL starts or shuts down, or has no connection to spare: codes of PostgreSQL. */
const NOT_READY = ["57P01", "57P02", "57P03", "53300"];
const PASSING: ReadonlySet<unknown> = new Set([...UNREACHABLE, ...OTHER_ROLE, ...SILENT, ...NOT_READY]);
/** The messages that `pg` sends without a code. */
const PASSING_MESSAGE = /timeout expired|connection terminated|timeout exceeded when trying to connect/i;

/**
 * Opens a database as openStore() does, and waits for one that cannot be reached yet. What waiting does not mend, such
 * as a wrong password, missing rights or a schema that is too new, rejects at once.
 */
export async function openStoreWhenReady(databaseUrl: string, options: WaitOptions): Promise<Store> {
  const { waitMs, onWait, ...opening } = options;
  const deadlineMs = performance.now() + waitMs;
  for (;;) {
    try {
      return await openStore(databaseUrl, opening);
    } catch (thrown) {
      const mayPass = thrown instanceof Error && isPassing(thrown);
      if (!mayPass || performance.now() + PAUSE_MS > deadlineMs) throw thrown;
      onWait(thrown);
      await delay(PAUSE_MS);
    }
  }
}

/** Looks through what led to an error: the driver's own one says what it is. */
function isPassing(error: Error): boolean {
  if ("code" in error && PASSING.has(error.code)) return true;
  // There is no Unix socket yet.
  if ("code" in error && error.code === "ENOENT" && "syscall" in error && error.syscall === "connect") return true;
  if (error instanceof AggregateError) return error.errors.every((inner) => inner instanceof Error && isPassing(inner));
  if (error.cause instanceof Error) return isPassing(error.cause);
  return PASSING_MESSAGE.test(error.message);
}
