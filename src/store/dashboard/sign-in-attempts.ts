import { hash } from "node:crypto";
import type { Store } from "../types/store.ts";

/** Someone who tries a password. */
export interface Attempt {
  /** Email address of the account that is tried, whether or not there is one. */
  readonly account: string;
  /** Network address that it comes from. */
  readonly address: string;
}

/** Counts attempts, so that passwords cannot be tried out. The counts are in the database: all replicas share them. */
export interface SignInAttempts {
  /**
   * Counts an attempt before it is looked at. Resolves to the milliseconds until the next one is allowed, or to
   * undefined where this one is.
   */
  count(attempt: Attempt): Promise<number | undefined>;
  /** Forgets the attempts on an account from an address, after the right password. */
  forget(attempt: Attempt): Promise<void>;
}

/** Attempts are counted in windows of this length. */
export const ATTEMPT_WINDOW_MS = 15 * 60_000;

/**
 * Most attempts in a window. An account can be tried more often in all than from one address, so that a stranger who
 * fails on purpose does not so easily lock its owner out.
 */
export const MOST_ATTEMPTS = { pair: 8, address: 40, account: 80 } as const;

/** Creates the counts of a database. `now` returns milliseconds since 1970. */
export function createSignInAttempts(store: Store, now: () => number = Date.now): SignInAttempts {
  return {
    async count(attempt) {
      const window = Math.floor(now() / ATTEMPT_WINDOW_MS);
      const endsAt = (window + 1) * ATTEMPT_WINDOW_MS;
      await deleteOthers(store, now(), endsAt);
      let refused = false;
      for (const scope of SCOPES) {
        const count = await increment(store, getKey(scope, attempt, window), new Date(endsAt));
        refused ||= count > MOST_ATTEMPTS[scope];
      }
      return refused ? endsAt - now() : undefined;
    },
    async forget(attempt) {
      const window = Math.floor(now() / ATTEMPT_WINDOW_MS);
      await store
        .query()
        .deleteFrom("SignInAttempt")
        .where("id", "=", getKey("pair", attempt, window))
        .execute();
    },
  };
}

const SCOPES = ["pair", "address", "account"] as const;
type Scope = (typeof SCOPES)[number];

/** Only hashes are kept: what is typed into the field of an e-mail address may be a password. */
function getKey(scope: Scope, { account, address }: Attempt, window: number): string {
  const network = getNetwork(address);
  const subject = { pair: [account, network], address: [network], account: [account] }[scope];
  return hash("sha256", JSON.stringify([scope, window, ...subject]), "hex");
}

/** A subscriber of IPv6 has all addresses of a /64, so these count as one. */
function getNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(":")) return mapped ?? address;
  const [head = "", tail = ""] = address.split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === "" ? [] : tail.split(":");
  const zeros = address.includes("::") ? Array<string>(Math.max(0, 8 - first.length - last.length)).fill("0") : [];
  return [...first, ...zeros, ...last].slice(0, 4).join(":");
}

/**
 * Deletes what was counted in windows that are over, and in those of a clock that was ahead: nobody waits for these to
 * end.
 */
async function deleteOthers(store: Store, now: number, endsAt: number): Promise<void> {
  const [over, ahead] = [new Date(now), new Date(endsAt + ATTEMPT_WINDOW_MS)];
  await store
    .query()
    .deleteFrom("SignInAttempt")
    .where((where) => where.or([where("expiresAt", "<=", over), where("expiresAt", ">", ahead)]))
    .execute();
}

async function increment(store: Store, id: string, expiresAt: Date): Promise<number> {
  const row = await store
    .query()
    .insertInto("SignInAttempt")
    .values({ id, attempts: 1, expiresAt })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet((update) => ({ attempts: update("SignInAttempt.attempts", "+", 1) })),
    )
    .returning("attempts")
    .executeTakeFirstOrThrow();
  return row.attempts;
}
