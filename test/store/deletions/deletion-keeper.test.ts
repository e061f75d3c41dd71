import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import type { Clocks } from "../../../src/lib/steady-clock.ts";
import { createProjects } from "../../../src/store/dashboard/projects.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { DeletionKeeper } from "../../../src/store/deletions/deletion-keeper.ts";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import { deleteProject } from "../../../src/store/project-deletion/delete-project.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { waitUntil } from "../../support/wait.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe("DeletionKeeper", () => {
  let store: Store;
  const problems: object[] = [];
  const log = { warn: (facts: object) => problems.push(facts), error: (facts: object) => problems.push(facts) };
  beforeAll(async () => {
    store = await openStore("sqlite::memory:");
  });
  afterAll(() => store.close());

  /** A keeper whose process runs for so long. */
  function keeperAfter(ms: number): DeletionKeeper {
    let hasBegun = false;
    const clocks: Clocks = {
      now: () => Date.now() + (hasBegun ? ms : 0),
      monotonic: () => performance.now() + (hasBegun ? ms : 0),
    };
    const keeper = new DeletionKeeper(store, log, { clocks, awaitRecords: async () => {} });
    hasBegun = true;
    return keeper;
  }

  const stateOf = async (projectId: string) =>
    (await store.query().selectFrom("ProjectDeletion").select("state").where("projectId", "=", projectId).execute())[0]
      ?.state;

  it("deletes the data of projects when their day is over", async () => {
    const { id = "" } = (await createProjects(store).create("search")) ?? {};
    await deleteProject(store, id);
    const early = keeperAfter(DAY_MS - HOUR_MS);
    await early.tick();
    expect(await stateOf(id)).toBe("waiting");
    await early.close();
    const keeper = keeperAfter(DAY_MS + HOUR_MS);
    await keeper.tick();
    expect(await stateOf(id)).toBe("done");
    await keeper.close();
    expect(problems).toEqual([]);
  });

  it("goes on with deletions of end users whose process has died, though nobody looks at them", async () => {
    const died = new Date(Date.now() - HOUR_MS);
    const facts = { projectId: DEFAULT_PROJECT.id, endUserId: "ada", via: "dashboard" };
    const actor = { actorKind: "person", actorId: newId(), actorLabel: "owner@example.com" };
    const counts = { inferences: 0, feedback: 0, conversations: 0 };
    const row = { id: newId(), ...facts, ...actor, requestedAt: died, beatAt: died, state: "running", ...counts };
    await store.query().insertInto("EndUserDeletion").values(row).execute();
    const keeper = keeperAfter(0);
    await keeper.tick();
    const state = async () => (await store.query().selectFrom("EndUserDeletion").select("state").execute())[0]?.state;
    await waitUntil(async () => (await state()) === "done");
    await keeper.close();
    expect(problems).toEqual([]);
  });
});
