import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Identified } from "../../src/hub/principal.ts";
import { DatabaseTimeoutError } from "../../src/lib/database-state.ts";
import { newId } from "../../src/lib/ids.ts";
import type { Quota } from "../../src/quotas/quota.ts";
import { type ChangeFeed, type ChangeListener, NO_CHANGES } from "../../src/store/changes/change-feed.ts";
import { createProjects } from "../../src/store/dashboard/projects.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { StoreAuthenticator } from "../../src/store/keys/store-authenticator.ts";
import { openKnownQuotas } from "../../src/store/quotas/known-quotas.ts";
import { writeQuota } from "../../src/store/quotas/write-quota.ts";
import type { Store } from "../../src/store/types/store.ts";
import { ENGINES, useDatabases } from "../support/database.ts";

/** A replica that nobody tells of changes, and that looks for none by itself. */
async function openReplica(store: Store) {
  const quotas = await openKnownQuotas(store, { refreshMs: 600_000 });
  const authenticator = new StoreAuthenticator(store, { limits: quotas });
  const limitsOf = (found: Identified): (Quota | undefined)[] => {
    if (found === undefined || "rejected" in found) throw new Error("the key is not known");
    const { keyId, projectId } = found;
    return quotas.find({ keyId, projectId, endUserId: "ada", tags: { team: "search" } }).map(({ quota }) => quota);
  };
  return {
    use: async (key: string) => limitsOf(await authenticator.authenticate(key)),
    useById: async (id: string) => limitsOf(await authenticator.findKey(id)),
    close: async () => {
      quotas.close();
      await authenticator.close();
    },
  };
}

describe.each(ENGINES)("a key that is used as soon as it is created, on %s", (engine) => {
  const databases = useDatabases(engine);
  let replica: Awaited<ReturnType<typeof openReplica>>;
  beforeAll(async () => {
    replica = await openReplica(databases.store);
  });
  afterAll(() => replica.close());

  it("has its limits, every time", async () => {
    for (let time = 1; time <= 100; time++) {
      const quota = { requestsPerMinute: time, costNanosTotal: 0, models: ["base"] };
      const { key, info } = await createKey(databases.store, { name: `job ${time}`, quota });
      expect(await (time % 2 === 0 ? replica.use(key) : replica.useById(info.publicId))).toEqual([quota]);
    }
  });

  it("has those of its project, of an end user and of a tag", async () => {
    const project = await createProjects(databases.store).create(newId(), undefined, { costNanosPerMonth: 2 });
    const projectId = project?.id ?? "";
    const { key } = await createKey(databases.store, { name: "job", projectId, quota: { concurrentCalls: 3 } });
    await writeQuota(databases.store, {
      owner: { kind: "endUser", projectId, name: "ada" },
      change: { costNanosTotal: 4 },
    });
    await writeQuota(databases.store, {
      owner: { kind: "tag", projectId, name: "team=search" },
      change: { requestsPerMinute: 5 },
    });
    const limits = [{ costNanosPerMonth: 2 }, { concurrentCalls: 3 }, { costNanosTotal: 4 }, { requestsPerMinute: 5 }];
    expect(await replica.use(key)).toEqual(limits);
  });

  it("is refused as one that cannot be checked while its limits cannot be read", async () => {
    const { store } = databases;
    let isAway = false;
    const away = (): undefined => {
      if (isAway) throw new DatabaseTimeoutError("away");
    };
    const halfAway: Store = Object.create(store, {
      query: { value: () => away() ?? store.query() },
    });
    const quotas = await openKnownQuotas(halfAway, { refreshMs: 600_000 });
    const authenticator = new StoreAuthenticator(store, { limits: quotas });
    const { key } = await createKey(store, { name: "job", quota: { costNanosTotal: 0 } });
    isAway = true;
    await expect(authenticator.authenticate(key)).rejects.toThrow("the API key cannot be checked at the moment");
    quotas.close();
    await authenticator.close();
  });

  it("waits for a tighter limit that its process was told of, and others do not", async () => {
    const { store } = databases;
    let tell: ChangeListener = () => {};
    const subscribe: ChangeFeed["subscribe"] = (_channel, listener) => {
      tell = listener;
      return () => {};
    };
    const quotas = await openKnownQuotas(store, { changes: { ...NO_CHANGES, subscribe }, refreshMs: 600_000 });
    const projectId = newId();
    const owner = { kind: "key" as const, projectId, name: "2b7c" };
    await writeQuota(store, { owner, change: { requestsPerMinute: 100 } });
    await quotas.refresh();
    await writeQuota(store, { owner, change: { requestsPerMinute: 1 } });
    tell(projectId);
    expect(quotas.changing?.(newId())).toBeUndefined();
    const changing = quotas.changing?.(projectId);
    expect(changing).toBeInstanceOf(Promise);
    await changing;
    const [found] = quotas.find({ projectId, keyId: "2b7c", endUserId: undefined, tags: {} });
    expect(found?.quota).toEqual({ requestsPerMinute: 1 });
    expect(quotas.changing?.(projectId)).toBeUndefined();
    quotas.close();
  });
});
