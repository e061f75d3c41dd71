import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DashboardService, startDashboardService } from "./harness.ts";
import { createPeople, type People, signedIn } from "./people.ts";

const configText = "quotas: { keysPerProject: 1, membersPerProject: 6, projectsPerPerson: 2 }";

describe("quotas in the dashboard", () => {
  let service: DashboardService;
  let people: People;

  beforeAll(async () => {
    service = await startDashboardService({ configText });
    people = await createPeople(service);
  });

  afterAll(() => service.close());

  /** A procedure that creates something, and what it says once there is no room for more. */
  const CREATES: readonly (readonly [procedure: string, input: () => object, refused: string])[] = [
    ["keys.create", () => ({ name: randomUUID() }), "quotas.keysPerProject: revoke an unused one"],
    [
      "members.invite",
      () => ({ email: `${randomUUID()}@example.com`, role: "viewer" }),
      "quotas.membersPerProject: remove one first",
    ],
    [
      "projects.create",
      () => ({ name: `project ${randomUUID()}` }),
      "quotas.projectsPerPerson: give one of them to another owner and leave it first",
    ],
  ];

  it("tells of a project what attune apply manages", async () => {
    const { projectId, byRole } = people;
    const item = { kind: "key", name: "2b7c2b7c2b7c" };
    const rows = [projectId, randomUUID()].map((id) => ({ ...item, projectId: id, since: new Date() }));
    await service.store.query().insertInto("ManagedItem").values(rows).execute();
    expect(await byRole.viewer.query("managed.list", { projectId })).toMatchObject({ status: 200, data: [item] });
  });

  // One person who may make as many as they like has each bound of a key and of a project as often as they like.
  it("bounds the keys and projects of one person by keysPerProject and projectsPerPerson", async () => {
    const { userId, caller } = await signedIn(service);
    await service.dashboard.projects.create(randomUUID(), userId);
    expect((await caller.mutate("projects.create", { name: `project ${randomUUID()}` })).status).toBe(200);
    expect((await caller.mutate("projects.create", { name: `project ${randomUUID()}` })).status).toBe(409);
    const owned = await service.dashboard.memberships.listProjects(userId);
    expect(owned).toHaveLength(2);
    for (const { id: projectId } of owned) {
      const create = () => caller.mutate("keys.create", { projectId, name: randomUUID() });
      expect([(await create()).status, (await create()).status]).toEqual([200, 409]);
    }
  });

  it.each(CREATES)("%s says that there is no room for more", async (procedure, input, refused) => {
    const { projectId, byRole } = people;
    const create = () => byRole.owner.mutate(procedure, { projectId, ...input() });
    expect((await create()).status).toBe(200);
    const { status, error } = await create();
    expect([status, error?.data.code]).toEqual([409, "CONFLICT"]);
    expect(error?.message).toContain(refused);
  });
});
