import { type Log, SILENT_LOG } from "../types/log.ts";
import type { Store } from "../types/store.ts";
import { type BodyPolicy, DEFAULT_BODY_POLICY, parseBodyPolicy } from "./body-policy.ts";

/** Tells what is kept of a project's requests and answers; at once, because records are made while clients wait. */
export interface BodyPolicies {
  of(projectId: string): BodyPolicy;
  /** Takes note of a change that this process made. */
  set(projectId: string, policy: BodyPolicy): void;
  /** Reads all of them again. */
  refresh(): Promise<void>;
  close(): void;
}

/** How policies are kept up to date. */
export interface BodyPolicyOptions {
  readonly log?: Log;
  /** How often they are read: a change by another process takes effect within this time. */
  readonly refreshMs?: number;
}

const REFRESH_MS = 2000;
const COMPLAINT_PERIOD_MS = 60_000;

/**
 * Reads the policies of a database, and then again and again. While the database is away what was read last holds. Rejects
 * if they cannot be read to begin with: what a project wants kept must not be guessed.
 */
export async function openBodyPolicies(store: Store, options: BodyPolicyOptions = {}): Promise<BodyPolicies> {
  const { log = SILENT_LOG, refreshMs = REFRESH_MS } = options;
  let policies: ReadonlyMap<string, BodyPolicy> = await readPolicies(store);
  let changes = 0;
  let complainedAt = Number.NEGATIVE_INFINITY;
  const refresh = async () => {
    const before = changes;
    const read = await readPolicies(store);
    // What was read may be from before a change that this process made meanwhile.
    if (before === changes) policies = read;
  };
  const timer = setInterval(() => {
    refresh().catch((error: unknown) => {
      if (performance.now() - complainedAt < COMPLAINT_PERIOD_MS) return;
      complainedAt = performance.now();
      log.warn({ err: error }, "cannot read what projects keep of requests and answers: what was read last holds");
    });
  }, refreshMs).unref();
  return {
    of: (projectId) => policies.get(projectId) ?? DEFAULT_BODY_POLICY,
    set(projectId, policy) {
      changes += 1;
      policies = new Map([...policies, [projectId, policy]]);
    },
    refresh,
    close: () => clearInterval(timer),
  };
}

async function readPolicies(store: Store): Promise<ReadonlyMap<string, BodyPolicy>> {
  // No entities: all rows are read, every other second, on the thread that serves.
  const rows = await store.query().selectFrom("ProjectSettings").select(["project", "bodies"]).execute();
  return new Map(rows.map(({ project, bodies }) => [project, parseBodyPolicy(bodies)]));
}
