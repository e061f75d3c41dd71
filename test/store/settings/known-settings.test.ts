import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { parseBodyPolicy } from "../../../src/store/bodies/body-policy.ts";
import { createChangeFeed } from "../../../src/store/changes/create-change-feed.ts";
import { createProjectSettings } from "../../../src/store/dashboard/project-settings.ts";
import { openKnownSettings } from "../../../src/store/settings/known-settings.ts";
import { SILENT_LOG } from "../../../src/store/types/log.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

describe.each(ENGINES)("openKnownSettings() on %s", (engine) => {
  const databases = useDatabases(engine);

  async function createProject(store: Store): Promise<string> {
    const id = newId();
    await store.query().insertInto("Project").values({ id, name: id, createdAt: new Date() }).execute();
    return id;
  }

  it("keeps everything where nothing was said", async () => {
    const policies = await openKnownSettings(databases.store);
    expect(policies.bodiesOf(newId())).toBe("full");
    expect(policies.optimizationsOff(newId()).size).toBe(0);
    policies.close();
  });

  it("knows a change of this process at once, and one of another process soon", async () => {
    const here = await openKnownSettings(databases.store, { refreshMs: 60_000 });
    const there = await openKnownSettings(databases.store, { refreshMs: 20 });
    const projectId = await createProject(databases.store);
    await createProjectSettings(databases.store, here).set(projectId, { bodies: "none" });
    expect(here.bodiesOf(projectId)).toBe("none");
    await expect.poll(() => there.bodiesOf(projectId)).toBe("none");
    await createProjectSettings(databases.store).set(projectId, { bodies: "redacted" });
    expect(here.bodiesOf(projectId)).toBe("none");
    await here.refresh();
    expect(here.bodiesOf(projectId)).toBe("redacted");
    here.close();
    there.close();
  });

  it("knows what is switched off, and leaves what is not named as it was", async () => {
    const known = await openKnownSettings(databases.store, { refreshMs: 60_000 });
    const projectId = await createProject(databases.store);
    const settings = createProjectSettings(databases.store, known);
    await settings.set(projectId, { optimizationsOff: ["hedging"], aliases: { fast: "small" } });
    await settings.set(projectId, { bodies: "none" });
    const read = () => [
      ...[known.bodiesOf(projectId), [...known.optimizationsOff(projectId)]],
      ...[known.aliasOf(projectId, "fast"), known.aliasOf(projectId, "slow"), known.aliasOf(newId(), "fast")],
    ];
    expect(read()).toEqual(["none", ["hedging"], "small", undefined, undefined]);
    await known.refresh();
    expect(read()).toEqual(["none", ["hedging"], "small", undefined, undefined]);
    known.close();
  });

  it("is told of a change by another process, long before it reads again", async () => {
    const changes = createChangeFeed(databases.store, SILENT_LOG);
    const known = await openKnownSettings(databases.store, { changes, refreshMs: 60_000 });
    const projectId = await createProject(databases.store);
    await expect.poll(() => changes.coverage.untilMs).toBeGreaterThan(0);
    await createProjectSettings(databases.store).set(projectId, { optimizationsOff: ["choice"] });
    await expect.poll(() => [...known.optimizationsOff(projectId)]).toEqual(["choice"]);
    known.close();
    await changes.close();
  });

  it("goes by what it read last while the database is away, says so once, and does not begin without it", async () => {
    const projectId = await createProject(databases.store);
    await createProjectSettings(databases.store).set(projectId, { bodies: "none" });
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
    const policies = await openKnownSettings(store, { refreshMs: 5, log });
    isAway = true;
    await expect.poll(() => warnings.length).toBeGreaterThan(0);
    await delay(50);
    expect([policies.bodiesOf(projectId), warnings.length]).toEqual(["none", 1]);
    policies.close();
    await expect(openKnownSettings(store)).rejects.toThrow("away");
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
