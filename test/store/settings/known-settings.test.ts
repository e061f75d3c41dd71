import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { parseBodyPolicy } from "../../../src/store/bodies/body-policy.ts";
import { NO_CHANGES } from "../../../src/store/changes/change-feed.ts";
import { createChangeFeed } from "../../../src/store/changes/create-change-feed.ts";
import { openKnownSettings } from "../../../src/store/settings/known-settings.ts";
import { writeSettings } from "../../../src/store/settings/write-settings.ts";
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

  it("knows what was changed once it has caught up, and a change that nobody tells of soon", async () => {
    let tell = (): void => expect.fail("nothing subscribed");
    const subscribe = (_: string, listener: (payload: string) => void) => {
      tell = () => listener("");
      return () => {};
    };
    const changes = { ...NO_CHANGES, subscribe };
    const here = await openKnownSettings(databases.store, { changes, refreshMs: 60_000 });
    const there = await openKnownSettings(databases.store, { refreshMs: 20 });
    const projectId = await createProject(databases.store);
    await writeSettings(databases.store, projectId, { bodies: "none" });
    tell();
    await here.catchUp();
    expect(here.bodiesOf(projectId)).toBe("none");
    await expect.poll(() => there.bodiesOf(projectId)).toBe("none");
    here.close();
    there.close();
  });

  it("knows what is switched off, and the names for models", async () => {
    const projectId = await createProject(databases.store);
    await writeSettings(databases.store, projectId, { optimizationsOff: ["hedging"], aliases: { fast: "small" } });
    await writeSettings(databases.store, projectId, { bodies: "none" });
    const known = await openKnownSettings(databases.store);
    expect([
      ...[known.bodiesOf(projectId), [...known.optimizationsOff(projectId)]],
      ...[known.aliasOf(projectId, "fast"), known.aliasOf(projectId, "slow"), known.aliasOf(newId(), "fast")],
    ]).toEqual(["none", ["hedging"], "small", undefined, undefined]);
    known.close();
  });

  it("is told of a change by another process, long before it reads again", async () => {
    const changes = createChangeFeed(databases.store, SILENT_LOG);
    const known = await openKnownSettings(databases.store, { changes, refreshMs: 60_000 });
    const projectId = await createProject(databases.store);
    await expect.poll(() => changes.coverage.untilMs).toBeGreaterThan(0);
    await writeSettings(databases.store, projectId, { optimizationsOff: ["choice"] });
    await expect.poll(() => [...known.optimizationsOff(projectId)]).toEqual(["choice"]);
    known.close();
    await changes.close();
  });

  it("goes by what it read last while the database is away, says so once, and does not begin without it", async () => {
    const projectId = await createProject(databases.store);
    await writeSettings(databases.store, projectId, { bodies: "none" });
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
