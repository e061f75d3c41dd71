import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../src/store/database/open-store.ts";
import { newDeletion } from "../../src/store/end-users/run-deletions.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { PROCESS_ORIGIN } from "../../src/vocabulary/change-origin.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";

let folder: CliFolder;

beforeAll(() => {
  folder = createCliFolder();
});
afterAll(() => folder.remove());

describe("attune end-users delete", () => {
  it("goes on with what a command that was killed a minute ago has begun", { timeout: 120_000 }, async () => {
    expect((await folder.run(["projects", "list"])).status).toBe(0);
    const store = await openStore(`sqlite:${join(folder.path, "data", "attune.db")}`);
    const row = newDeletion(store.as(PROCESS_ORIGIN), { projectId: DEFAULT_PROJECT.id, endUserId: "ada" });
    const beatAt = new Date(Date.now() - 50_000);
    await store
      .query()
      .insertInto("EndUserDeletion")
      .values({ ...row, beatAt })
      .execute();
    await store.close();
    const { status, stdout } = await folder.run(["end-users", "delete", "ada", "--yes"]);
    expect([status, stdout]).toEqual([0, expect.stringContaining("of the end user ada, and the figures by it")]);
  });
});
