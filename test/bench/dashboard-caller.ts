import { randomUUID } from "node:crypto";
import type { Browser } from "../../src/dashboard/access/context.ts";
import { dashboardRouter } from "../../src/dashboard/router.ts";
import { createLog } from "../../src/observability/log.ts";
import { createDashboardStore } from "../../src/store/dashboard/dashboard-store.ts";
import type { Store } from "../../src/store/types/store.ts";

/** Calls a procedure as a browser does that is signed in: each call finds its session and its role in the database. */
export type CallProcedure = (path: string, input: unknown) => Promise<unknown>;

/** Signs an owner of the project in, and returns what calls procedures for them. */
export async function createDashboardCaller(store: Store, projectId: string): Promise<CallProcedure> {
  const dashboard = createDashboardStore(store);
  const [userId, createdAt] = [randomUUID(), new Date()];
  const account = { id: userId, email: `${userId}@example.com`, passwordHash: "none", createdAt };
  await store.query().insertInto("UserAccount").values(account).execute();
  await store.query().insertInto("Membership").values({ userId, projectId, role: "owner", createdAt }).execute();
  const { secret } = await dashboard.sessions.begin({ userId, address: "127.0.0.1", userAgent: "bench" });
  const browser = (): Browser => {
    let session: ReturnType<typeof dashboard.sessions.resume> | undefined;
    return {
      ...{ address: "127.0.0.1", userAgent: "bench" },
      session() {
        session ??= dashboard.sessions.resume(secret);
        return session;
      },
      signIn: refuse,
      signOut: refuse,
      retryAfter: () => {},
    };
  };
  const dependencies = {
    ...{ store: dashboard, log: createLog("silent"), exampleModel: "attune/gpt-6-astra", priceOf: () => undefined },
    lendKey: () => {
      throw new Error("no procedure that is measured calls a model");
    },
  };
  return async (path, input) => {
    const caller: unknown = dashboardRouter.createCaller({ ...dependencies, browser: browser() });
    const procedure = path
      .split(".")
      .reduce<unknown>((found, name) => (found as Record<string, unknown>)[name], caller);
    return await (procedure as (input: unknown) => Promise<unknown>)(input);
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

async function refuse(): Promise<void> {
  throw new Error("no procedure that is measured signs anyone in or out");
}
