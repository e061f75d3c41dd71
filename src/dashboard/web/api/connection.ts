import { DASHBOARD_PATH } from "../dashboard-path.ts";

/** True if the server can be reached. */
interface ConnectionState {
  /** Since when it cannot, in milliseconds since 1970; undefined while it can. */
  readonly downSince: number | undefined;
  /** The reason, as people read it. */
  readonly reason: string | undefined;
  /** Since when it can again, if it could not before. */
  readonly backSince: number | undefined;
}

/** Watches whether the server can be reached, once something failed because it could not. */
interface Connection {
  state(): ConnectionState;
  /** Calls back at each change; returns what ends that. */
  subscribe(listener: () => void): () => void;
  /**
   * Says that something failed because the server, or its database, could not be reached: it is tried again from then
   * on.
   */
  reportDown(reason: string): void;
  /** Tries at once. Resolves to whether the server can be reached. */
  tryNow(): Promise<boolean>;
}

/** The ports of the connection watch. */
interface ConnectionPorts {
  /** Resolves to whether the server answers; never rejects. */
  readonly ping: () => Promise<boolean>;
  readonly wait: (ms: number) => Promise<void>;
  readonly now: () => number;
}

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 15_000;
/** A failure so soon after the server was back keeps the long wait, since a part of it may still be down. */
const SAME_OUTAGE_MS = 30_000;

/** Creates the watch. */
export function createConnection({ ping, wait, now }: ConnectionPorts): Connection {
  const listeners = new Set<() => void>();
  let current: ConnectionState = { downSince: undefined, reason: undefined, backSince: undefined };
  const change = (next: ConnectionState) => {
    current = next;
    for (const listener of listeners) listener();
  };
  const tryNow = async () => {
    const before = current;
    if (!(await ping())) return false;
    if (current.downSince !== undefined && current === before)
      change({ downSince: undefined, reason: undefined, backSince: now() });
    return true;
  };
  let waitMs = FIRST_WAIT_MS;
  const watch = async (outage: ConnectionState) => {
    for (;;) {
      const ownMs = waitMs;
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
      await wait(ownMs);
      if (current !== outage || (await tryNow())) return;
    }
  };
  return {
    state: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    reportDown(reason) {
      if (current.downSince !== undefined) return;
      if (current.backSince === undefined || now() - current.backSince > SAME_OUTAGE_MS) waitMs = FIRST_WAIT_MS;
      change({ downSince: now(), reason, backSince: undefined });
      void watch(current);
    },
    tryNow,
  };
}

/** The time limit of a response. */
const PING_MS = 10_000;

/** The watch of this page. */
export const connection = createConnection({
  async ping() {
    try {
      const signal = AbortSignal.timeout(PING_MS);
      const response = await fetch(`${DASHBOARD_PATH}/api/session.current`, { cache: "no-store", signal });
      // A proxy answers for a server that is away, but not in its form.
      return response.ok && (response.headers.get("content-type") ?? "").startsWith("application/json");
    } catch {
      return false;
    }
  },
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  now: Date.now,
});
