import { AuditCache } from "../../learning/equivalence/audit-cache.ts";
import type { AuditChange, AuditStore } from "../../learning/equivalence/ports.ts";
import { CHANNELS, type ChangeFeed } from "../changes/change-feed.ts";
import { createRefresher } from "../changes/create-refresher.ts";
import { type Log, SILENT_LOG } from "../types/log.ts";
import type { Store } from "../types/store.ts";
import { createAuditStore } from "./audit-store.ts";

/** The audits of deployments that processes on one database share. */
interface OpenAuditCache {
  readonly cache: AuditCache;
  readonly store: AuditStore;
  /** This process has changed a state: has the book read again shortly where more than counts has changed. */
  readonly changed: (change: AuditChange) => void;
  /** Reads no more. The store stays open. */
  close(): void;
}

/** The interval at which the cache is compared with the database; changes by others are notified besides. */
const REFRESH_MS = 750;

/** Reads the book and keeps it up to date. Rejects if it cannot be read to begin with. */
export async function openAuditCache(
  store: Store,
  { changes, log = SILENT_LOG }: { readonly changes: ChangeFeed; readonly log?: Log },
): Promise<OpenAuditCache> {
  const audits = createAuditStore(store);
  const cache = new AuditCache(audits);
  await cache.refresh();
  const refresher = createRefresher(() => cache.refresh(), {
    log,
    everyMs: REFRESH_MS,
    complaint: "cannot read how deployments compare: those that were taken out stay out",
  });
  const end = changes.subscribe(CHANNELS.deployments, () => refresher.soon());
  return {
    cache: cache,
    store: audits,
    changed({ before, after }) {
      if (before?.standing !== after.standing) refresher.soon();
    },
    close() {
      end();
      refresher.close();
    },
  };
}
