import { describe, expect, it } from "vitest";
import { createDashboardStore } from "../../../src/store/dashboard/dashboard-store.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import { writeSettings } from "../../../src/store/settings/write-settings.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

describe.each(ENGINES)("writeSettings() on %s", (engine) => {
  const databases = useDatabases(engine);

  it("takes what several owners set at once, on two processes, and keeps the latest", async () => {
    const there = await openStore(databases.url);
    const here = databases.store;
    const projectId = DEFAULT_PROJECT.id;
    const read = () => createDashboardStore(here).settings.read(projectId);
    expect(await read()).toEqual({ bodies: "full", optimizationsOff: [], aliases: {}, updatedAt: null });
    await Promise.all([here, there, here, there].map((store) => writeSettings(store, projectId, { bodies: "none" })));
    const updatedAt = expect.any(Date);
    expect(await read()).toEqual({ bodies: "none", optimizationsOff: [], aliases: {}, updatedAt });
    await Promise.all([
      writeSettings(there, projectId, { bodies: "redacted" }),
      writeSettings(here, projectId, { optimizationsOff: ["hedging", "coalescing"] }),
    ]);
    expect(await read()).toMatchObject({ bodies: "redacted", optimizationsOff: ["hedging", "coalescing"] });
    await writeSettings(here, projectId, { optimizationsOff: [] });
    expect(await read()).toMatchObject({ bodies: "redacted", optimizationsOff: [] });
    await there.close();
  });
});
