import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import type { QuotaOwner } from "../../../src/quotas/quota.ts";
import { NO_QUOTA_DEFAULTS, replaceQuota } from "../../../src/quotas/quota-settings.ts";
import { createChangeFeed } from "../../../src/store/changes/create-change-feed.ts";
import { createProjects } from "../../../src/store/dashboard/projects.ts";
import { createKey } from "../../../src/store/keys/key-repository.ts";
import { openKnownQuotas } from "../../../src/store/quotas/known-quotas.ts";
import { readAllQuotas, readQuotas } from "../../../src/store/quotas/read-quotas.ts";
import { writeQuota } from "../../../src/store/quotas/write-quota.ts";
import { SILENT_LOG } from "../../../src/store/types/log.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

const NEVER = { refreshMs: 60_000 };

/** A key of a project of its own, so that tests share a database. */
function newKey(): QuotaOwner {
  return { kind: "key", projectId: newId(), name: "2b7c" };
}

function callBy({ projectId, name }: QuotaOwner) {
  return { projectId, keyId: name, endUserId: undefined, tags: {} };
}

describe.each(ENGINES)("quotas on %s", (engine) => {
  const databases = useDatabases(engine);

  it("are set, changed member by member, and removed with their last limit", async () => {
    const { store } = databases;
    const owner = newKey();
    const read = () => readQuotas(store, { projectId: owner.projectId });
    const write = (change: Parameters<typeof writeQuota>[1]["change"]) => writeQuota(store, { owner, change });
    await write({ requestsPerMinute: 60, models: ["a"] });
    expect(await write({ costNanosTotal: 1e15, models: null })).toEqual({
      requestsPerMinute: 60,
      costNanosTotal: 1e15,
    });
    expect(await read()).toEqual([{ owner, settings: { requestsPerMinute: 60, costNanosTotal: 1e15 } }]);
    await write(replaceQuota({ concurrentCalls: 0 }));
    expect(await read()).toEqual([{ owner, settings: { concurrentCalls: 0 } }]);
    expect(await write(replaceQuota({}))).toEqual({});
    expect(await read()).toEqual([]);
  });

  it("are set together with a new key and a new project", async () => {
    const { store } = databases;
    const project = await createProjects(store).create(newId(), undefined, { costNanosPerMonth: 2 });
    const projectId = project?.id ?? "";
    const { info } = await createKey(store, { name: "limited", projectId, quota: { requestsPerMinute: 1 } });
    expect(await readQuotas(store, { projectId })).toEqual([
      { owner: { kind: "key", projectId, name: info.publicId }, settings: { requestsPerMinute: 1 } },
      { owner: { kind: "project", projectId, name: "" }, settings: { costNanosPerMonth: 2 } },
    ]);
  });

  it("have a bound for each project and for all", async () => {
    const { store } = databases;
    const first = newKey();
    const change = { requestsPerMinute: 1 };
    const bounds = { total: (await readAllQuotas(store)).length + 2, perProject: 1 };
    await writeQuota(store, { owner: first, change }, bounds);
    await writeQuota(store, { owner: first, change: { concurrentCalls: 1 } }, bounds);
    const second = writeQuota(store, { owner: { ...first, name: "second" }, change }, bounds);
    await expect(second).rejects.toThrow("there are 1 quotas of this project, the maximum: clear one");
    await writeQuota(store, { owner: newKey(), change }, bounds);
    await expect(writeQuota(store, { owner: newKey(), change }, bounds)).rejects.toThrow(
      "quotas of all projects, the maximum",
    );
  });

  it("set by several at once all hold, each with a time of its own", async () => {
    const { store } = databases;
    const owners = Array.from({ length: 8 }, newKey);
    await Promise.all(owners.map((owner) => writeQuota(store, { owner, change: { concurrentCalls: 1 } })));
    const rows = await store.query().selectFrom("Quota").select("updatedAt").execute();
    expect(new Set(rows.map(({ updatedAt }) => updatedAt.getTime())).size).toBe(rows.length);
  });

  it("are known from the start, and a change soon after another process has made it", async () => {
    const { store } = databases;
    const changes = createChangeFeed(store, SILENT_LOG);
    const owner = newKey();
    await writeQuota(store, { owner, change: { requestsPerMinute: 1 } });
    const known = await openKnownQuotas(store, { changes, ...NEVER });
    const limit = () => known.find(callBy(owner))[0]?.quota.requestsPerMinute;
    expect(limit()).toBe(1);
    await expect.poll(() => changes.coverage.untilMs).toBeGreaterThan(0);
    await writeQuota(store, { owner, change: { requestsPerMinute: 2 } });
    await expect.poll(limit).toBe(2);
    await writeQuota(store, { owner, change: { requestsPerMinute: null } });
    await expect.poll(limit).toBe(undefined);
    known.close();
    await changes.close();
  });

  it("are read again at an interval where nobody tells of changes, and only after a change", async () => {
    const { store } = databases;
    const owner = newKey();
    const known = await openKnownQuotas(store, NEVER);
    const before = known.find(callBy(owner));
    await writeQuota(store, { owner, change: { requestsPerMinute: 3 } });
    await known.refresh();
    const [first] = known.find(callBy(owner));
    expect([before.length, first?.quota]).toEqual([0, { requestsPerMinute: 3 }]);
    await known.refresh();
    // Subjects are made anew with the rows.
    expect(known.find(callBy(owner))[0]).toBe(first);
    known.setDefaults({ ...NO_QUOTA_DEFAULTS, eachKey: { concurrentCalls: 4 } });
    expect(known.find(callBy(owner))[0]?.quota).toEqual({ requestsPerMinute: 3, concurrentCalls: 4 });
    known.close();
  });

  it("hold as they were read last while the database is away, without which nothing begins", async () => {
    const owner = newKey();
    await writeQuota(databases.store, { owner, change: { requestsPerMinute: 5 } });
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
    const known = await openKnownQuotas(store, { refreshMs: 5, log });
    isAway = true;
    await expect.poll(() => warnings).toEqual(["cannot read the quotas: what was read last holds"]);
    expect(known.find(callBy(owner))[0]?.quota).toEqual({ requestsPerMinute: 5 });
    known.close();
    await expect(openKnownQuotas(store)).rejects.toThrow("away");
  });
});
