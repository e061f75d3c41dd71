import { describe, expect, it } from "vitest";
import { createProjectSettings } from "../../../src/store/dashboard/project-settings.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

describe.each(ENGINES)("createProjectSettings() on %s", (engine) => {
  const databases = useDatabases(engine);

  it("takes what several owners set at once, on two processes, and keeps the latest", async () => {
    const other = await openStore(databases.url);
    const projectId = DEFAULT_PROJECT.id;
    const [here, there] = [createProjectSettings(databases.store), createProjectSettings(other)];
    expect(await here.read(projectId)).toEqual({ bodies: "full", optimizationsOff: [], aliases: {}, updatedAt: null });
    await Promise.all([here, there, here, there].map((settings) => settings.set(projectId, { bodies: "none" })));
    expect(await there.read(projectId)).toEqual({
      bodies: "none",
      optimizationsOff: [],
      aliases: {},
      updatedAt: expect.any(Date),
    });
    await Promise.all([
      there.set(projectId, { bodies: "redacted" }),
      here.set(projectId, { optimizationsOff: ["hedging", "coalescing"] }),
    ]);
    expect(await here.read(projectId)).toMatchObject({
      bodies: "redacted",
      optimizationsOff: ["hedging", "coalescing"],
    });
    await here.set(projectId, { optimizationsOff: [] });
    expect(await there.read(projectId)).toMatchObject({ bodies: "redacted", optimizationsOff: [] });
    await other.close();
  });
});
