import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { createDashboardStore } from "../../../src/store/dashboard/dashboard-store.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import { createKey, listProjectKeys, revokeKey } from "../../../src/store/keys/key-repository.ts";
import { readQuotas } from "../../../src/store/quotas/read-quotas.ts";
import { writeQuota } from "../../../src/store/quotas/write-quota.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

const quotas = { keysPerProject: 3, membersPerProject: 3, projectsPerPerson: 2, accounts: 5 };

describe.each(ENGINES)("quotas on %s", (engine) => {
  const databases = useDatabases(engine);
  const stores: Store[] = [];

  beforeAll(async () => {
    for (let index = 0; index < 2; index++) stores.push(await openStore(databases.url, { quotas }));
  });
  afterAll(async () => {
    for (const store of stores) await store.close();
  });

  const storeOf = (index: number): Store => stores[index % 2] ?? databases.store;

  /** Makes an account of a database without quotas. */
  async function makePerson(): Promise<string> {
    const id = newId();
    const row = { id, email: `${id}@example.com`, passwordHash: "hash", createdAt: new Date() };
    await databases.store.query().insertInto("UserAccount").values(row).execute();
    return id;
  }

  async function makeProject(ownerId: string): Promise<string> {
    const project = await createDashboardStore(databases.store).projects.create(randomUUID(), ownerId);
    return project?.id ?? "";
  }

  const kinds = (settled: readonly PromiseSettledResult<unknown>[]) =>
    settled.map((result) => (result.status === "rejected" ? result.reason.message : "created")).toSorted();

  it("bounds the keys of a project that work, however many ask at once, on two processes", async () => {
    const projectId = await makeProject(await makePerson());
    const create = (index: number) => createKey(storeOf(index), { name: `key ${index}`, projectId });
    const refused = "this project's active keys are 3, the maximum of quotas.keysPerProject: revoke an unused one";
    const settled = await Promise.allSettled(Array.from({ length: 6 }, (_, index) => create(index)));
    expect(kinds(settled)).toEqual(["created", "created", "created", refused, refused, refused]);
    const [first] = await listProjectKeys(databases.store, projectId);
    await revokeKey(databases.store, first?.id ?? "");
    await expect(create(6)).resolves.toMatchObject({ info: { projectId } });
    await createKey(storeOf(0), { name: "of another project", projectId: DEFAULT_PROJECT.id });
  });

  it("does not count keys that have expired, and those of the playground", async () => {
    const ownerId = await makePerson();
    const projectId = await makeProject(ownerId);
    const { playground } = createDashboardStore(storeOf(0));
    await playground.findOrCreateKey({ projectId, userId: ownerId, email: "a@example.com" });
    const expiresAt = new Date(Date.now() - 1000);
    for (let index = 0; index < 5; index++) await createKey(storeOf(0), { name: "old", projectId, expiresAt });
    for (let index = 0; index < 3; index++) await createKey(storeOf(0), { name: "new", projectId });
    await expect(createKey(storeOf(0), { name: "new", projectId })).rejects.toThrow("quotas.keysPerProject");
  });

  it("forgets the oldest of a thousand keys that ended", async () => {
    const projectId = await makeProject(await makePerson());
    const ended = Array.from({ length: 1002 }, (_, index) => {
      const id = newId();
      const publicId = `z${String(index).padStart(4, "0")}${id.slice(-7)}`;
      const times = { createdAt: new Date(index * 1000), revokedAt: new Date(), expiresAt: null, lastUsedAt: null };
      const hash = id.replaceAll("-", "").padEnd(64, "0");
      return { id, project: projectId, publicId, hash, name: `ended ${index}`, permissions: null, ...times };
    });
    await databases.store.query().insertInto("ApiKey").values(ended).execute();
    for (const { publicId } of [ended[0], ended[2]].filter((key) => key !== undefined)) {
      const owner = { kind: "key", projectId, name: publicId } as const;
      await writeQuota(databases.store, { owner, change: { requestsPerMinute: 1 } });
    }
    await createKey(storeOf(0), { name: "new", projectId });
    const names = (await listProjectKeys(databases.store, projectId)).map(({ name }) => name);
    expect(names).toHaveLength(1001);
    expect([names[0], names.at(-1)]).toEqual(["new", "ended 2"]);
    const quotas = await readQuotas(databases.store, { projectId });
    expect(quotas.map(({ owner }) => owner.name)).toEqual([ended[2]?.publicId]);
  });

  it("bounds the projects that a person owns, in each way of becoming an owner", async () => {
    const [personId, otherId] = [await makePerson(), await makePerson()];
    const create = (index: number) => createDashboardStore(storeOf(index)).projects.create(randomUUID(), personId);
    const refused =
      "the projects that one person owns are 2, the maximum of quotas.projectsPerPerson: give one of them to another owner and leave it first";
    const settled = await Promise.allSettled(Array.from({ length: 4 }, (_, index) => create(index)));
    expect(kinds(settled)).toEqual(["created", "created", refused, refused]);
    const projectId = await makeProject(otherId);
    const { invitations, memberships } = createDashboardStore(storeOf(0));
    const invite = (role: "owner" | "developer") =>
      invitations.create({ projectId, email: `${personId}@example.com`, role });
    const asOwner = await invite("owner");
    await expect(invitations.accept(asOwner.secret, undefined)).rejects.toThrow(refused);
    const asDeveloper = await invite("developer");
    expect(await invitations.accept(asDeveloper.secret, undefined)).toBe(personId);
    await expect(memberships.setRole({ projectId, userId: personId }, "owner")).rejects.toThrow(refused);
    expect(await memberships.findRole(personId, projectId)).toBe("developer");
    // An owner stays one.
    expect(await memberships.setRole({ projectId, userId: otherId }, "owner")).toBe("changed");
  });

  it("bounds the members of a project with those who are invited", async () => {
    const projectId = await makeProject(await makePerson());
    const invite = (email: string, index = 0) =>
      createDashboardStore(storeOf(index)).invitations.create({ projectId, email, role: "viewer" });
    const refused =
      "the members of this project, with those who are invited, are 3, the maximum of quotas.membersPerProject: remove one first";
    const settled = await Promise.allSettled(
      Array.from({ length: 4 }, (_, index) => invite(`${index}@example.com`, index)),
    );
    expect(kinds(settled)).toEqual(["created", "created", refused, refused]);
    const waiting = await createDashboardStore(databases.store).invitations.list(projectId);
    // Who is invited again takes no further place.
    await invite(waiting[0]?.email ?? "");
    await createDashboardStore(databases.store).invitations.revoke(projectId, waiting[1]?.id ?? "");
    await invite("another@example.com");
  });

  it("bounds the accounts", async () => {
    const projectId = await makeProject(await makePerson());
    while ((await databases.store.query().selectFrom("UserAccount").select("id").execute()).length < quotas.accounts) {
      await makePerson();
    }
    const { invitations } = createDashboardStore(storeOf(0));
    const { secret } = await invitations.create({ projectId, email: "new@example.com", role: "viewer" });
    await expect(invitations.accept(secret, "hash")).rejects.toThrow(/quotas\.accounts: ask who runs it/);
    expect(await invitations.open(secret)).toBeDefined();
  });
});
