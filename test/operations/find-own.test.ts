import { expect, it } from "vitest";
import { projectOfList } from "../../src/operations/find-own.ts";
import type { Work } from "../../src/operations/handlers.ts";
import { createProjects } from "../../src/store/dashboard/projects.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { deleteProject, restoreProject } from "../../src/store/project-deletion/delete-project.ts";

it("lists nothing for a key that is bound to a project which is deleted, until that is undone", async () => {
  const store = await openStore("sqlite::memory:");
  const project = await createProjects(store).create("search");
  if (project === undefined) throw new Error("no project");
  const { id: projectId } = project;
  const bound = { store, actor: { kind: "admin-key", id: "k", label: "k", scopes: [], projectId } } as unknown as Work;
  const general = { store, actor: { ...bound.actor, projectId: undefined } } as unknown as Work;
  expect([await projectOfList(bound, ""), await projectOfList(general, "")]).toEqual([projectId, undefined]);
  await deleteProject(store, projectId);
  await expect(projectOfList(bound, "")).rejects.toThrow("project: there is no such project");
  expect(await projectOfList(general, "")).toBeUndefined();
  await restoreProject(store, projectId);
  expect(await projectOfList(bound, "")).toBe(projectId);
  await store.close();
});
