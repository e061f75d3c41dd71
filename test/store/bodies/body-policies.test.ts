import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { openBodyPolicies } from "../../../src/store/bodies/body-policies.ts";
import { parseBodyPolicy } from "../../../src/store/bodies/body-policy.ts";
import { createProjectSettings } from "../../../src/store/dashboard/project-settings.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

describe.each(ENGINES)("openBodyPolicies() on %s", (engine) => {
  const databases = useDatabases(engine);

  async function createProject(store: Store): Promise<string> {
    const id = newId();
    await store.query().insertInto("Project").values({ id, name: id, createdAt: new Date() }).execute();
    return id;
  }

  it("keeps everything where nothing was said", async () => {
    const policies = await openBodyPolicies(databases.store);
    expect(policies.of(newId())).toBe("full");
    policies.close();
  });

  it("knows a change of this process at once, and one of another process soon", async () => {
    const here = await openBodyPolicies(databases.store, { refreshMs: 60_000 });
    const there = await openBodyPolicies(databases.store, { refreshMs: 20 });
    const projectId = await createProject(databases.store);
    await createProjectSettings(databases.store, here).setBodies(projectId, "none");
    expect(here.of(projectId)).toBe("none");
    for (let tries = 0; tries < 100 && there.of(projectId) !== "none"; tries++) await delay(20);
    expect(there.of(projectId)).toBe("none");
    await createProjectSettings(databases.store).setBodies(projectId, "redacted");
    expect(here.of(projectId)).toBe("none");
    await here.refresh();
    expect(here.of(projectId)).toBe("redacted");
    here.close();
    there.close();
  });

  it("goes by what it read last while the database is away, says so once, and does not begin without it", async () => {
    const projectId = await createProject(databases.store);
    await createProjectSettings(databases.store).setBodies(projectId, "none");
    let isAway = false;
    const store: Store = Object.create(databases.store, {
      query: {
        value: () => {
          if (isAway) throw new Error("away");
          return databases.store.query();
        },
      },
    });
    const warnings: string[] = [];
    const log = { warn: (_: object, text: string) => void warnings.push(text), error() {} };
    const policies = await openBodyPolicies(store, { refreshMs: 5, log });
    isAway = true;
    for (let tries = 0; tries < 100 && warnings.length === 0; tries++) await delay(10);
    await delay(50);
    expect([policies.of(projectId), warnings.length]).toEqual(["none", 1]);
    policies.close();
    await expect(openBodyPolicies(store)).rejects.toThrow("away");
  });
});

describe("parseBodyPolicy()", () => {
  it.each([
    ["full", "full"],
    ["redacted", "redacted"],
    ["none", "none"],
    ["of a later version", "none"],
  ])("%s: %s", (text, policy) => {
    expect(parseBodyPolicy(text)).toBe(policy);
  });
});
