import type { QuotaBook } from "../../quotas/quota.ts";
import { type OwnedQuota, QuotaIndex } from "../../quotas/quota-index.ts";
import { NO_QUOTA_DEFAULTS, type QuotaDefaults } from "../../quotas/quota-settings.ts";
import { CHANNELS, type ChangeFeed, NO_CHANGES } from "../changes/change-feed.ts";
import { createRefresher } from "../changes/create-refresher.ts";
import { type Log, SILENT_LOG } from "../types/log.ts";
import type { Store } from "../types/store.ts";
import { readAllQuotas } from "./read-quotas.ts";

/** Tells which quotas apply, as the database had them a moment ago. */
interface KnownQuotas extends QuotaBook {
  /** Replaces the defaults of the configuration. */
  setDefaults(defaults: QuotaDefaults): void;
  /** Reads the quotas again if any has changed. */
  refresh(): Promise<void>;
  close(): void;
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

/**
 * Reads all quotas, again when one has changed. While the database is away what was read last holds. Rejects if they
 * cannot be read to begin with: a limit that people rely on must not be missing.
 */
export async function openKnownQuotas(store: Store, options: KnownQuotasOptions = {}): Promise<KnownQuotas> {
  const { log = SILENT_LOG, changes = NO_CHANGES, refreshMs = REFRESH_MS } = options;
  let defaults = options.defaults ?? NO_QUOTA_DEFAULTS;
  let version = await readVersion(store);
  let quotas: readonly OwnedQuota[] = await readAllQuotas(store);
  let index = new QuotaIndex(quotas, defaults);
  const refresh = async () => {
    // Before the rows: what changes meanwhile is seen the next time.
    const latest = await readVersion(store);
    if (latest === version) return;
    quotas = await readAllQuotas(store);
    version = latest;
    index = new QuotaIndex(quotas, defaults);
  };
  const complaint = "cannot read the quotas: what was read last holds";
  const refresher = createRefresher(refresh, { log, everyMs: refreshMs, complaint });
  const unsubscribe = changes.subscribe(CHANNELS.quotas, () => refresher.soon());
  return {
    find: (owners) => index.find(owners),
    setDefaults(next) {
      defaults = next;
      index = new QuotaIndex(quotas, defaults);
    },
    refresh,
    close() {
      unsubscribe();
      refresher.close();
    },
  };
}

/** Returns a text that changes with every change: each written row has a later time than all others. */
async function readVersion(store: Store): Promise<string> {
  const rows = store.query().selectFrom("Quota");
  const latest = await rows.select("updatedAt").orderBy("updatedAt", "desc").limit(1).executeTakeFirst();
  const { count } = await rows.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  return `${count} ${latest?.updatedAt.getTime()}`;
}
