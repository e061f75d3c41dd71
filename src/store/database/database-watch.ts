import { type DatabaseState, stateByError } from "../../lib/database-state.ts";
import { type Log, SILENT_LOG } from "../types/log.ts";
import type { Store } from "../types/store.ts";
import { readRows } from "./executor.ts";
import { withTimeout } from "./with-timeout.ts";

/** Tells how a database is for those who read. */
interface DatabaseWatch {
  readonly state: DatabaseState;
  close(): void;
}

/** The options of a database watch. */
interface WatchOptions {
  readonly log?: Log;
  readonly everyMs?: number;
  /** A database that takes longer to answer counts as away. */
  readonly timeoutMs?: number;
}

const DEFAULTS = { everyMs: 1000, timeoutMs: 2000, log: SILENT_LOG };
const LOG_PERIOD_MS = 60_000;

const MESSAGES: Record<DatabaseState, string> = {
  ok: "the database answers again",
  away: "the database does not answer: known keys go on, and records wait in the spool",
  full: "the database has no room",
  missing: "the file of the database is gone, and nothing is written to it: records wait in the spool",
};

/**
 * Asks a database again and again whether it answers; that also has SQLite's file looked at where nobody else uses it.
 */
export function watchDatabase(store: Store, options: WatchOptions = {}): DatabaseWatch {
  const { everyMs, timeoutMs, log } = { ...DEFAULTS, ...options };
  let state: DatabaseState = "ok";
  let complainedAtMs = Number.NEGATIVE_INFINITY;
  let isAsking = false;
  const tell = (next: DatabaseState, error: unknown) => {
    const now = performance.now();
    const isNews = (next === "ok") !== (state === "ok") || (next !== "ok" && now - complainedAtMs > LOG_PERIOD_MS);
    state = next;
    if (!isNews) return;
    complainedAtMs = now;
    if (next === "ok") log.warn({}, MESSAGES.ok);
    else log.error({ err: error }, MESSAGES[next]);
  };
  const ask = async () => {
    // One question at a time: those that wait for an answer have connections that others need.
    if (isAsking) return;
    isAsking = true;
    const answer = readRows(store, "select 1 as one", []).finally(() => {
      isAsking = false;
    });
    try {
      await withTimeout(answer, timeoutMs);
      tell("ok", undefined);
    } catch (error) {
      tell(stateByError(error) ?? "away", error);
    }
  };
  const timer = setInterval(ask, everyMs).unref();
  return {
    get state() {
      return state;
    },
    close: () => clearInterval(timer),
  };
}
