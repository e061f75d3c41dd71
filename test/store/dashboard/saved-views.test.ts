import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { createDashboardStore } from "../../../src/store/dashboard/dashboard-store.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

describe.each(ENGINES)("saved views on %s", (engine) => {
  const databases = useDatabases(engine);

  it("are listed by name, replaced by name, kept to their project, and removed", async () => {
    const { savedViews, projects } = createDashboardStore(databases.store);
    const [one, other] = [await projects.create(newId()), await projects.create(newId())];
    const projectId = one?.id ?? "";
    for (const [name, search] of [
      ["late", "since=1h"],
      ["failed", "status=x"],
      ["failed", "status=failed"],
    ] as const) {
      expect(await savedViews.save(projectId, { name, search })).toBe(true);
    }
    const views = await savedViews.list(projectId);
    expect(views.map(({ name, search }) => [name, search])).toEqual([
      ["failed", "status=failed"],
      ["late", "since=1h"],
    ]);
    expect(await savedViews.list(other?.id ?? "")).toEqual([]);
    expect(await savedViews.remove(other?.id ?? "", views[0]?.id ?? "")).toBe(false);
    expect(await savedViews.remove(projectId, views[0]?.id ?? "")).toBe(true);
    expect((await savedViews.list(projectId)).map(({ name }) => name)).toEqual(["late"]);
  });

  it("are a hundred at most", async () => {
    const { savedViews, projects } = createDashboardStore(databases.store);
    const projectId = (await projects.create(newId()))?.id ?? "";
    const rows = Array.from({ length: 100 }, (_, index) => ({
      id: newId(),
      project: projectId,
      name: `view ${index}`,
      search: "",
      createdBy: "ann@example.com",
      createdAt: new Date(),
    }));
    await databases.store.query().insertInto("SavedView").values(rows).execute();
    expect(await savedViews.save(projectId, { name: "one more", search: "" })).toBe(false);
    expect(await savedViews.save(projectId, { name: "view 7", search: "status=failed" })).toBe(true);
  });
});
