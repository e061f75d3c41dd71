import type { Log } from "../types/log.ts";

/** The options of a refresher. */
interface RefresherOptions {
  readonly log: Log;
  readonly everyMs: number;
  /** The log line for a failure, written once a minute at most. */
  readonly complaint: string;
}

/** Keeps something up to date. */
interface Refresher {
  /** Has it refreshed shortly. */
  soon(): void;
  close(): void;
}

/** Notifications within this time cause one read. */
const COLLECT_MS = 50;
const COMPLAINT_PERIOD_MS = 60_000;

/** Creates what refreshes from time to time, and soon where that is asked for; one refresh at a time. */
export function createRefresher(
  refresh: () => Promise<void>,
  { log, everyMs, complaint }: RefresherOptions,
): Refresher {
  let isClosed = false;
  let isRunning = false;
  let isStale = false;
  let complainedAt = Number.NEGATIVE_INFINITY;
  let soon: NodeJS.Timeout | undefined;
  const run = async () => {
    if (isRunning || isClosed) return;
    isRunning = true;
    isStale = false;
    try {
      await refresh();
    } catch (error) {
      if (performance.now() - complainedAt > COMPLAINT_PERIOD_MS && !isClosed) {
        complainedAt = performance.now();
        log.warn({ err: error }, complaint);
      }
    } finally {
      isRunning = false;
      if (isStale) ask();
    }
  };
  const ask = () => {
    isStale = true;
    if (soon !== undefined || isRunning || isClosed) return;
    soon = setTimeout(() => {
      soon = undefined;
      void run();
    }, COLLECT_MS).unref();
  };
  const timer = setInterval(() => void run(), everyMs).unref();
  return {
    soon: ask,
    close() {
      isClosed = true;
      clearInterval(timer);
      clearTimeout(soon);
    },
  };
}
