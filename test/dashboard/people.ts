import { randomUUID } from "node:crypto";
import { hashPassword } from "../../src/dashboard/access/password.ts";
import type { DashboardStore } from "../../src/store/dashboard/dashboard-store.ts";
import type { Store } from "../../src/store/types/store.ts";
import { ROLES, type Role } from "../../src/vocabulary/roles.ts";
import { Caller, PASSWORD } from "./caller.ts";

/** People of one project, each signed in. */
export interface People {
  readonly projectId: string;
  readonly projectName: string;
  readonly byRole: Readonly<Record<Role, Caller>>;
  /** Owner of another project. */
  readonly stranger: Caller;
  /** Nobody: not signed in. */
  readonly nobody: Caller;
}

interface Service {
  readonly url: string;
  readonly store: Store;
  readonly dashboard: DashboardStore;
}

let passwordHash: Promise<string> | undefined;

/** Makes an account, and a browser that is signed in with it. */
export async function signedIn(
  { url, store, dashboard }: Service,
  email = `person-${randomUUID().slice(0, 8)}@example.com`,
): Promise<{ userId: string; email: string; caller: Caller }> {
  passwordHash ??= hashPassword(PASSWORD);
  const userId = randomUUID();
  await store
    .query()
    .insertInto("UserAccount")
    .values({ id: userId, email, passwordHash: await passwordHash, createdAt: new Date() })
    .execute();
  const caller = new Caller(url);
  const { secret } = await dashboard.sessions.begin({ userId, address: "127.0.0.1", userAgent: "test" });
  caller.cookie = `attune_session=${secret}`;
  return { userId, email, caller };
}

/** Makes a project with a member of each role, and a stranger with another project. */
export async function createPeople(service: Service): Promise<People> {
  const { store, dashboard } = service;
  const [owner, stranger] = [await signedIn(service), await signedIn(service)];
  const project = await dashboard.projects.create(`search ${randomUUID().slice(0, 8)}`, owner.userId);
  await dashboard.projects.create(randomUUID(), stranger.userId);
  const projectId = project?.id ?? "";
  const others = ROLES.filter((role) => role !== "owner").map(async (role) => {
    const { userId, caller } = await signedIn(service);
    const membership = { user: userId, project: projectId, role, createdAt: new Date() };
    await store.query().insertInto("Membership").values(membership).execute();
    return [role, caller] as const;
  });
  const byRole = Object.fromEntries([["owner", owner.caller], ...(await Promise.all(others))]) as Record<Role, Caller>;
  return {
    projectId,
    projectName: project?.name ?? "",
    byRole,
    stranger: stranger.caller,
    nobody: new Caller(service.url),
  };
}
