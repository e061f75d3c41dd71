import { generateKeySync, randomUUID } from "node:crypto";
import type { Browser } from "../../src/dashboard/access/context.ts";
import { ContentReader } from "../../src/dashboard/features/history/content-reader.ts";
import { createSignIn } from "../../src/dashboard/features/sign-in/sign-in.ts";
import { dashboardRouter } from "../../src/dashboard/router.ts";
import { createLog } from "../../src/observability/log.ts";
import { createOperations } from "../../src/operations/create-operations.ts";
import { NO_QUOTA_DEFAULTS } from "../../src/quotas/quota-settings.ts";
import { createDashboardStore } from "../../src/store/dashboard/dashboard-store.ts";
import { openReads } from "../../src/store/dashboard/reads/open-reads.ts";
import type { Store } from "../../src/store/types/store.ts";
import { ADMIN_PORTS } from "../support/admin-ports.ts";
import { ALERT_PORTS } from "../support/alert-ports.ts";

/** Calls a procedure as a browser does that is signed in: each call finds its session and its role in the database. */
export type CallProcedure = (path: string, input: unknown) => Promise<unknown>;

/** What calls procedures, and holds threads. */
export interface DashboardCaller {
  readonly call: CallProcedure;
  close(): Promise<void>;
}

/** Of which project procedures are called, and how its database is read. */
export interface CallerOptions {
  readonly databaseUrl: string;
  readonly projectId: string;
  /** Whether SQLite is read in this thread, too. */
  readonly isOneThread: boolean;
}

/** Signs an owner of the project in, and returns what calls procedures for them. */
export async function createDashboardCaller(
  store: Store,
  { databaseUrl, projectId, isOneThread }: CallerOptions,
): Promise<DashboardCaller> {
  const log = createLog("silent");
  const opened = openReads(store, { databaseUrl, log });
  const contents = new ContentReader(() => {});
  const dashboard = createDashboardStore(store, isOneThread ? {} : { reads: opened.reads });
  const [userId, createdAt] = [randomUUID(), new Date()];
  const account = { id: userId, email: `${userId}@example.com`, passwordHash: "none", createdAt };
  await store.query().insertInto("UserAccount").values(account).execute();
  await store
    .query()
    .insertInto("Membership")
    .values({ user: userId, project: projectId, role: "owner", createdAt })
    .execute();
  const { secret } = await dashboard.sessions.begin({ userId, address: "127.0.0.1", userAgent: "bench" });
  const browser = (): Browser => {
    let session: ReturnType<typeof dashboard.sessions.resume> | undefined;
    return {
      address: "127.0.0.1",
      userAgent: "bench",
      origin: store.origin,
      session() {
        session ??= dashboard.sessions.resume(secret);
        return session;
      },
      signIn: refuse,
      signInBy: refuse,
      signInByPassword: refuse,
      signOut: refuse,
      retryAfter: () => {},
    };
  };
  const dependencies = {
    store: dashboard,
    contents,
    log,
    exampleModel: "attune/gpt-6-astra",
    publicUrl: undefined,
    signIn: createSignIn({ required: false, refreshMs: 1, providers: {} }, generateKeySync("hmac", { length: 256 })),
    hostOf: () => undefined,
    priceOf: () => undefined,
    configuredAt: () => new Date(0),
    deployments: () => [],
    modelOf: () => undefined,
    upstreamKeys: () => [],
    learning: {
      defaults: { mode: "observe" } as const,
      models: [],
      alternativesOf: () => [],
      isMadeUp: () => false,
      refresh: async () => {},
    },
    quotas: { defaults: NO_QUOTA_DEFAULTS, refresh: async () => {} },
    datasetRuns: {
      hasRoom: false,
      begin: () => {},
      cancel: () => {},
      keepsTexts: () => true,
      mayCall: () => true,
      priceOf: () => undefined,
    },
    audits: () => [],
    alertSettings: ALERT_PORTS.settings,
    operations: createOperations({
      ...ADMIN_PORTS,
      store,
      modelOf: () => undefined,
      prefix: "attune",
      learning: () => ({ mode: "observe" }),
    }),
    issuePlaygroundKey: () => {
      throw new Error("no procedure that is measured calls a model");
    },
  };
  const call: CallProcedure = async (path, input) => {
    const caller: unknown = dashboardRouter.createCaller({ ...dependencies, browser: browser() });
    const procedure = path
      .split(".")
      .reduce<unknown>((found, name) => (found as Record<string, unknown>)[name], caller);
    return await (procedure as (input: unknown) => Promise<unknown>)(input);
  };
  return {
    call,
    async close() {
      await Promise.all([opened.close(), contents.close()]);
    },
  };
}

/** Lists the procedures that read something of a project. */
export function projectQueries(): string[] {
  const procedures = dashboardRouter._def.procedures as unknown as Readonly<
    Record<string, { readonly _def: { readonly type: string; readonly meta?: { readonly access?: string } } }>
  >;
  return Object.entries(procedures)
    .filter(([, { _def }]) => _def.type === "query" && !["public", "user"].includes(_def.meta?.access ?? ""))
    .map(([path]) => path);
}

async function refuse(): Promise<never> {
  throw new Error("no procedure that is measured signs anyone in or out");
}
