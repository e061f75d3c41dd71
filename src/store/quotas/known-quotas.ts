import type { QuotaBook } from "../../quotas/quota.ts";
import { type OwnedQuota, QuotaIndex } from "../../quotas/quota-index.ts";
import { NO_QUOTA_DEFAULTS, type QuotaDefaults } from "../../quotas/quota-settings.ts";
import { CHANNELS, type ChangeFeed, NO_CHANGES } from "../changes/change-feed.ts";
import { createRefresher } from "../changes/create-refresher.ts";
import { withTimeout } from "../database/with-timeout.ts";
import { type Log, SILENT_LOG } from "../types/log.ts";
import type { Store } from "../types/store.ts";
import { readAllQuotas } from "./read-quotas.ts";

/** Tells which quotas apply, as the database had them a moment ago. */
export interface KnownQuotas extends QuotaBook, LimitsReader {
  /** Replaces the defaults of the configuration. */
  setDefaults(defaults: QuotaDefaults): void;
  /** Reads the quotas again if any has changed. */
  refresh(): Promise<void>;
  close(): void;
}

/** Reads limits again for whoever reads keys: none is served before its limits are known. */
export interface LimitsReader {
  /** Has the quotas read that were written by a time, in milliseconds since 1970; undefined where they are known. */
  readUntil(writtenAtMs: number): Promise<void> | undefined;
}

/** The options of known quotas. */
interface KnownQuotasOptions {
  readonly log?: Log;
  /** The feed of changes between processes on one database; its owner closes it. */
  readonly changes?: ChangeFeed;
  /** The defaults of the configuration; none if absent. */
  readonly defaults?: QuotaDefaults;
  /** The interval at which changes are looked for; one without a notification takes effect within it. */
  readonly refreshMs?: number;
}

const REFRESH_MS = 1000;
/** The time that a call waits for changes that this process was told of; then what was read last holds. */
const WAIT_MS = 2000;

/**
 * Reads all quotas, again when one has changed. While the database is away what was read last holds. Rejects if they
 * cannot be read to begin with: a limit that people rely on must not be missing.
 */
export async function openKnownQuotas(store: Store, options: KnownQuotasOptions = {}): Promise<KnownQuotas> {
  const { log = SILENT_LOG, changes = NO_CHANGES, refreshMs = REFRESH_MS } = options;
  let defaults = options.defaults ?? NO_QUOTA_DEFAULTS;
  let version = await readVersion(store);
  /** Projects whose quotas have changed, until the change is read; an empty id stands for all. */
  const changing = new Map<string, Promise<void>>();
  let quotas: readonly OwnedQuota[] = await readAllQuotas(store);
  let index = new QuotaIndex(quotas, defaults);
  const refresh = async () => {
    // Before the rows: what changes meanwhile is seen the next time.
    const latest = await readVersion(store);
    if (latest.text === version.text) return;
    quotas = await readAllQuotas(store);
    version = latest;
    index = new QuotaIndex(quotas, defaults);
  };
  const catchUp = afterNow(refresh);
  const complaint = "cannot read the quotas: what was read last holds";
  const refresher = createRefresher(catchUp, { log, everyMs: refreshMs, complaint });
  const unsubscribe = changes.subscribe(CHANNELS.quotas, (projectId) => {
    const read = withTimeout(catchUp(), WAIT_MS).catch(() => refresher.soon());
    const isRead = read.finally(() => {
      if (changing.get(projectId) === isRead) changing.delete(projectId);
    });
    changing.set(projectId, isRead);
  });
  return {
    changing: (projectId) => (changing.size === 0 ? undefined : (changing.get(projectId) ?? changing.get(""))),
    readUntil: (writtenAtMs) => (writtenAtMs <= version.writtenAtMs ? undefined : catchUp()),
    find: (owners) => index.find(owners),
    setDefaults(next) {
      defaults = next;
      index = new QuotaIndex(quotas, defaults);
    },
    refresh: catchUp,
    close() {
      unsubscribe();
      refresher.close();
    },
  };
}

/** The state of all quotas. */
interface Version {
  /** Changes with every change: each written row has a later time than all others. */
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly writtenAtMs: number;
}

async function readVersion(store: Store): Promise<Version> {
  const rows = store.query().selectFrom("Quota");
  const latest = await rows.select("updatedAt").orderBy("updatedAt", "desc").limit(1).executeTakeFirst();
  const { count } = await rows.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  const writtenAtMs = latest?.updatedAt.getTime() ?? 0;
  return { text: `${count} ${writtenAtMs}`, writtenAtMs };
}

/** Returns work that runs once at a time; who asks for it joins no run that began before. */
function afterNow(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const run = (): Promise<void> => {
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (running === undefined) return run();
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined;
        return run();
      });
    return next;
  };
}
