import { createDashboardStore } from "../../src/store/dashboard/dashboard-store.ts";
import type { Store } from "../../src/store/types/store.ts";

/** What a service answered. */
export interface Probe {
  readonly status: number;
  /** How long the whole answer took. */
  readonly ms: number;
  readonly retryAfter: string | null;
  readonly body: unknown;
}

/** Asks a service once. Rejects if it says nothing for half a minute. */
export async function probe(url: string, init: RequestInit = {}): Promise<Probe> {
  const began = performance.now();
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) });
  const body: unknown = await answer.json();
  return {
    status: answer.status,
    ms: performance.now() - began,
    retryAfter: answer.headers.get("retry-after"),
    body,
  };
}

/** Makes the owner of the default project, signed in; returns the cookie of that. */
export async function signIn(store: Store): Promise<string> {
  const { setup, sessions } = createDashboardStore(store);
  const link = await setup.newLink();
  const owner = await setup.createOwner(link ?? "", { email: "owner@example.com", passwordHash: "none" });
  if (owner === undefined) throw new Error("there is an owner already");
  const { secret } = await sessions.begin({ userId: owner.id, address: "127.0.0.1", userAgent: "chaos" });
  return `attune_session=${secret}`;
}
