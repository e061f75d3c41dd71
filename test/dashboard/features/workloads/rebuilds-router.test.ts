import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { PATIENCE } from "../../../support/patience.ts";
import { pauseLearning } from "../../../support/pause-learning.ts";
import { type DashboardService, startDashboardService } from "../../harness.ts";
import { createPeople } from "../../people.ts";

describe.each(ENGINES)("rebuilds in the dashboard on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: DashboardService;

  beforeAll(async () => {
    service = await startDashboardService({ databaseUrl: databases.url });
  });

  afterAll(() => service.close());

  it("are asked for and canceled by owners and admins, and seen by who sees what was learned", async () => {
    const { projectId, byRole, stranger } = await createPeople(service);
    const resume = await pauseLearning(service.store);
    const read = async () => (await byRole.viewer.query("rebuilds.read", { projectId })).data;
    expect(await read()).toBeNull();
    for (const verb of ["rebuilds.request", "rebuilds.cancel"]) {
      const { error } = await byRole.developer.mutate(verb, { projectId });
      expect(error?.message).toBe("this requires the role owner or admin; yours is developer");
      expect((await stranger.mutate(verb, { projectId })).error?.message).toBe("there is no such project");
    }
    await byRole.admin.mutate("rebuilds.request", { projectId });
    expect(await read()).toMatchObject({
      state: "waiting",
      requestedBy: expect.stringContaining("@"),
      startedAt: null,
      endedAt: null,
      nextAt: null,
    });
    expect((await byRole.owner.mutate("rebuilds.cancel", { projectId })).status).toBe(200);
    expect(await read()).toMatchObject({ state: "canceled", endedAt: expect.any(String) });
    await byRole.admin.mutate("rebuilds.request", { projectId });
    await resume();
    await expect.poll(read, PATIENCE).toMatchObject({ state: "done", workloads: 0, events: 0, problem: "" });
    const { error } = await byRole.admin.mutate("rebuilds.request", { projectId });
    const { nextAt } = (await read()) as { readonly nextAt: string };
    expect(error?.message).toBe(
      `project: the rebuild before ended a short while ago, and nothing is learned while one runs: ask again after ${nextAt}`,
    );
  });
});

describe("rebuilds in the dashboard on a database in memory", () => {
  it("are refused", async () => {
    const service = await startDashboardService({ databaseUrl: "sqlite::memory:" });
    try {
      const { projectId, byRole } = await createPeople(service);
      const { error } = await byRole.owner.mutate("rebuilds.request", { projectId });
      expect(error?.message).toBe(
        "project: is in a database in memory, which cannot be read at one moment: use a file",
      );
    } finally {
      await service.close();
    }
  });
});
