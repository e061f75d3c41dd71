import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../../src/config/load-config.ts";
import { finished, startDashboardBuild } from "../../src/dashboard/build/dashboard-build.ts";
import { startService } from "../../src/main.ts";
import { createLog } from "../../src/observability/log.ts";
import { createDashboardStore, type DashboardStore } from "../../src/store/dashboard/dashboard-store.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import type { Store } from "../../src/store/types/store.ts";
import { observeUnlessSaid } from "../support/observe-unless-said.ts";

/** A whole service with a dashboard, on a free port. */
export interface DashboardService {
  readonly url: string;
  readonly store: Store;
  readonly dashboard: DashboardStore;
  /** Makes the link of a first start. */
  setupLink(): Promise<string>;
  close(): Promise<void>;
}

/** What it is made of. */
export interface DashboardServiceOptions {
  readonly databaseUrl?: string;
  /** Whether the pages are built first, which takes seconds where they are not yet; else only the API is there. */
  readonly withPages?: boolean;
  /** What attune.yaml says; without it there are the built-in models, on the sandbox. */
  readonly configText?: string;
  /** Reverse proxies that are believed. */
  readonly proxies?: number;
}

/** Starts a service with a dashboard. */
export async function startDashboardService(options: DashboardServiceOptions = {}): Promise<DashboardService> {
  const folder = mkdtempSync(join(tmpdir(), "attune-dashboard-"));
  if (options.configText !== undefined) writeFileSync(join(folder, "attune.yaml"), options.configText);
  const databaseUrl = options.databaseUrl ?? `sqlite:${join(folder, "attune.db")}`;
  const environment = { ATTUNE_PORT: "0", ATTUNE_DATABASE_URL: databaseUrl };
  const loaded = observeUnlessSaid(loadConfig(environment, folder), options.configText);
  const config = {
    ...loaded,
    server: { ...loaded.server, proxies: options.proxies ?? 0 },
    // Tests have calls of March, whose hours would go ten seconds after the start.
    ...(options.configText?.includes("retention:") !== true && {
      retention: { ...loaded.retention, hoursDays: 36_500 },
    }),
    spool: { ...loaded.spool, folder },
  };
  const store = await openStore(databaseUrl, { quotas: config.quotas });
  const dashboardBuild = options.withPages
    ? startDashboardBuild(() => {})
    : finished({ kind: "failed", message: "not built: <b>a test</b>" });
  await dashboardBuild.done;
  const { state } = dashboardBuild;
  // Else a walk would look at the page that says so.
  if (options.withPages && state.kind === "failed") throw new Error(`the pages were not built: ${state.message}`);
  const service = await startService({ config, store, log: createLog("silent"), dashboardBuild });
  const dashboard = createDashboardStore(store);
  return {
    url: service.url,
    store,
    dashboard,
    async setupLink() {
      return `${service.url}/dashboard/setup#token=${await dashboard.setup.newLink()}`;
    },
    async close() {
      await service.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
