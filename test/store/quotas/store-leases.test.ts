import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import type { LeaseRequest } from "../../../src/quotas/leases.ts";
import { createStoreLeases } from "../../../src/store/quotas/store-leases.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

const DAY_MS = 86_400_000;

describe.each(ENGINES)("createStoreLeases() on %s", (engine) => {
  const databases = useDatabases(engine);

  function request(asked: Partial<LeaseRequest> = {}): LeaseRequest {
    const startsAtMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const window = { startsAtMs, endsAtMs: startsAtMs + DAY_MS };
    const amounts = { limit: 1000, leased: 0, unspent: 0, expected: 0, owed: 0, need: 0, wanted: 0 };
    return { subject: `key:${newId()}`, rule: "costNanosPerDay", ...window, ...amounts, ...asked };
  }

  /** Has a process look as if nothing was heard of it for so long. */
  async function silence(process: string, ms = 120_000): Promise<void> {
    const seenAt = new Date(Date.now() - ms);
    await databases.store.query().updateTable("QuotaProcess").set({ seenAt }).where("process", "=", process).execute();
  }

  it("grants what is needed while there is room, and of the rest no more than a quarter", async () => {
    const leases = createStoreLeases(databases.store);
    const other = createStoreLeases(databases.store);
    const { subject } = request();
    expect(await leases.exchange([request({ subject, need: 100, wanted: 900 })])).toMatchObject([
      { granted: 250, leasedByAll: 250 },
    ]);
    expect(await other.exchange([request({ subject, need: 700, wanted: 700 })])).toMatchObject([
      { granted: 700, leasedByAll: 950 },
    ]);
    expect(await leases.exchange([request({ subject, leased: 250, need: 100, wanted: 100 })])).toMatchObject([
      { granted: 50, leasedByAll: 1000 },
    ]);
    expect(await other.exchange([request({ subject, leased: 700, owed: -600 })])).toMatchObject([
      { granted: 0, leasedByAll: 400 },
    ]);
  });

  it("counts what is owed, whatever the limit is", async () => {
    const leases = createStoreLeases(databases.store);
    const { subject } = request();
    const [answer] = await leases.exchange([request({ subject, owed: 1500, need: 10, wanted: 10 })]);
    expect(answer).toMatchObject({ granted: 0, leasedByAll: 1500 });
  });

  it("takes many requests of many processes at once, each window for itself", async () => {
    const subjects = Array.from({ length: 40 }, () => request().subject);
    const all = Array.from({ length: 8 }, (_, at) => {
      const ordered = at % 2 === 0 ? subjects : subjects.toReversed();
      return createStoreLeases(databases.store).exchange(
        ordered.map((subject) => request({ subject, limit: 50, need: 10, wanted: 10 })),
      );
    });
    const granted = (await Promise.all(all)).flat().reduce((total, grant) => total + grant.granted, 0);
    expect(granted).toBe(40 * 50);
  });

  it("frees the calls in flight of a process that was not heard of for a minute", async () => {
    const process = newId();
    const [dead, living] = [createStoreLeases(databases.store, process), createStoreLeases(databases.store)];
    await dead.renew();
    const { subject } = request();
    const flight = { subject, rule: "concurrentCalls", startsAtMs: 0, endsAtMs: undefined, limit: 10 } as const;
    await dead.exchange([request({ ...flight, need: 8, wanted: 8 })]);
    expect(await living.exchange([request({ ...flight, need: 5, wanted: 5 })])).toMatchObject([
      { granted: 2, leasedByAll: 10 },
    ]);
    await living.renew();
    await silence(process);
    await living.renew();
    expect(await living.exchange([request({ ...flight, leased: 2, need: 8, wanted: 8 })])).toMatchObject([
      { granted: 8, leasedByAll: 10 },
    ]);
    // The one that was taken for dead comes back, and tells what it has.
    expect(await dead.exchange([request({ ...flight, leased: 8, need: 1, wanted: 1 })])).toMatchObject([
      { granted: 0, leasedByAll: 18 },
    ]);
  });

  it("takes back what a process has not spent that was not heard of for a minute, and tells it", async () => {
    const process = newId();
    const [stopped, living] = [createStoreLeases(databases.store, process), createStoreLeases(databases.store)];
    await stopped.renew();
    const { subject } = request();
    await stopped.exchange([request({ subject, need: 100, wanted: 300 })]);
    // Since then its calls have taken 150 more, of which the store has heard of 50.
    await stopped.exchange([request({ subject, leased: 250, unspent: 100 })]);
    const others = [living, createStoreLeases(databases.store), createStoreLeases(databases.store)];
    await Promise.all(others.map((other) => other.renew()));
    await silence(process);
    await Promise.all(others.map((other) => other.renew()));
    expect(await living.exchange([request({ subject, need: 900, wanted: 900 })])).toMatchObject([
      { granted: 850, leasedByAll: 1000 },
    ]);
    await stopped.renew();
    expect(await stopped.exchange([request({ subject, leased: 250, unspent: 50, need: 1, wanted: 1 })])).toMatchObject([
      { granted: 0, leasedByAll: 1050, lost: 50, free: 0 },
    ]);
    expect(await stopped.exchange([request({ subject, leased: 200 })])).toMatchObject([{ leasedByAll: 1050, lost: 0 }]);
  });

  it("takes nothing back before it is heard for a second time: after an outage all have been silent", async () => {
    const [one, other] = [newId(), newId()];
    const [first, second] = [createStoreLeases(databases.store, one), createStoreLeases(databases.store, other)];
    const { subject } = request();
    for (const leases of [first, second]) await leases.renew();
    await second.exchange([request({ subject, need: 100, wanted: 250 })]);
    for (const process of [one, other]) await silence(process);
    await first.renew();
    const all = request({ subject, need: 1000, wanted: 1000 });
    expect(await first.exchange([all])).toMatchObject([{ granted: 750, leasedByAll: 1000 }]);
    await second.renew();
    expect(await second.exchange([request({ subject, leased: 250, unspent: 20 })])).toMatchObject([{ lost: 0 }]);
    await first.renew();
    expect(await first.exchange([{ ...all, leased: 750 }])).toMatchObject([{ granted: 0, leasedByAll: 1000 }]);
  });

  it("forgets processes and their leases after a day", async () => {
    const process = newId();
    const [gone, living] = [createStoreLeases(databases.store, process), createStoreLeases(databases.store)];
    await gone.renew();
    const { subject } = request();
    await gone.exchange([request({ subject, need: 10, wanted: 100 })]);
    await silence(process, 25 * 3_600_000);
    for (let time = 0; time < 2; time += 1) await living.renew();
    const rows = await databases.store
      .query()
      .selectFrom("QuotaLease")
      .selectAll()
      .where("process", "=", process)
      .execute();
    expect(rows).toEqual([]);
    expect(await gone.exchange([request({ subject, leased: 100, unspent: 90 })])).toMatchObject([
      { lost: 90, leasedByAll: 10 },
    ]);
  });

  it("deletes windows that are over", async () => {
    const leases = createStoreLeases(databases.store);
    const over = request({ rule: "requestsPerMinute", startsAtMs: 60_000, endsAtMs: 120_000, need: 1, wanted: 1 });
    await leases.exchange([over]);
    await leases.renew();
    expect(await leases.exchange([over])).toMatchObject([{ granted: 1, leasedByAll: 1 }]);
  });

  it("begins a budget of an end user with what was spent for them", async () => {
    const leases = createStoreLeases(databases.store);
    const projectId = newId();
    const today = Math.floor(Date.now() / DAY_MS);
    const tokens = { inputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1, reasoningTokens: 0 };
    const counts = { calls: 1, estimatedCalls: 0, pricedCalls: 1, costNanos: 250, latencies: "", ...tokens };
    const fact = { projectId, period: today, kind: "end_user", name: "team/a:b", status: "completed", ...counts };
    for (const keyId of ["k1", "k2"]) {
      await databases.store
        .query()
        .insertInto("UsageFactDay")
        .values({ ...fact, keyId })
        .execute();
    }
    const asked = { subject: `end-user:${projectId}/team/a:b`, need: 1000, wanted: 1000 };
    expect(await leases.exchange([request(asked)])).toMatchObject([{ granted: 500, leasedByAll: 1000 }]);
  });

  it("begins a budget of a key with what the key has spent of it", async () => {
    const leases = createStoreLeases(databases.store);
    const keyId = newId();
    const today = Math.floor(Date.now() / DAY_MS);
    for (const [period, costNanos] of [
      [today, 300],
      [today - 1, 90],
    ] as const) {
      await databases.store.query().insertInto("UsageDay").values(usageDay({ keyId, period, costNanos })).execute();
    }
    const asked = { subject: `key:${keyId}`, need: 1000, wanted: 1000 };
    expect(await leases.exchange([request(asked)])).toMatchObject([{ granted: 700, leasedByAll: 1000 }]);
    const total = request({ ...asked, rule: "costNanosTotal", startsAtMs: 0, endsAtMs: undefined });
    expect(await leases.exchange([total])).toMatchObject([{ granted: 610, leasedByAll: 1000 }]);
  });
});

describe("createStoreLeases() on postgres, whose connection breaks at the end of a transaction", () => {
  const databases = useDatabases("postgres");

  it.each([
    ["as granted where it was committed", true],
    ["as failed where it was not", false],
  ])("counts an exchange %s", async (_, isCommitted) => {
    const { store } = databases;
    const broken = new Error("the connection broke");
    const transaction: Store["transaction"] = async (work) => {
      await store.transaction(async (tables) => {
        await work(tables);
        if (!isCommitted) throw broken;
      });
      throw broken;
    };
    const own = (name: string | symbol): unknown => {
      const value: unknown = Reflect.get(store, name, store);
      return typeof value === "function" ? value.bind(store) : value;
    };
    const breaking = new Proxy(store, { get: (_, name) => (name === "transaction" ? transaction : own(name)) });
    const request: LeaseRequest = {
      subject: `key:${newId()}`,
      rule: "costNanosTotal",
      startsAtMs: 0,
      endsAtMs: undefined,
      limit: 1000,
      leased: 0,
      unspent: 0,
      expected: 0,
      owed: 0,
      need: 100,
      wanted: 100,
    };
    const told = createStoreLeases(breaking).exchange([request]);
    if (isCommitted) expect(await told).toMatchObject([{ granted: 100, leasedByAll: 100 }]);
    else await expect(told).rejects.toBe(broken);
  });
});

function usageDay({ keyId, period, costNanos }: { keyId: string; period: number; costNanos: number }) {
  const texts = {
    model: "m",
    servedModel: "m",
    upstream: "u",
    upstreamModel: "m",
    workload: "",
    status: "completed",
    errorReason: "",
  };
  const tokens = { inputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1, reasoningTokens: 0 };
  const times = { latencyMicros: 1, latencies: "", firstTokenCalls: 0, firstTokenMicros: 0, firstTokens: "" };
  const saved = {
    cacheSavedNanos: 0,
    savedCacheMarksNanos: 0,
    savedCoalescingNanos: 0,
    savedResponseCacheNanos: 0,
    savedChoiceNanos: 0,
    savedRoutingNanos: 0,
    savedFailoverNanos: 0,
    savedHedgingNanos: 0,
    savedRetryNanos: 0,
    savedCandidatesNanos: 0,
  };
  const calls = {
    calls: 1,
    streamedCalls: 0,
    routedCalls: 0,
    pricedCalls: 1,
    estimatedCalls: 0,
    baseCostNanos: costNanos,
  };
  return { projectId: newId(), keyId, period, costNanos, ...calls, ...texts, ...tokens, ...times, ...saved };
}
