import { createSecretKey } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AlertKeeper, type KeeperPorts } from "../../../src/alerts/alert-keeper.ts";
import { LocalSignals } from "../../../src/alerts/local-signals.ts";
import type { Message } from "../../../src/alerts/message.ts";
import type { Signal } from "../../../src/alerts/ports.ts";
import { DEFAULT_RULES } from "../../../src/alerts/rules.ts";
import { send } from "../../../src/alerts/send.ts";
import type { AlertSettings, ConfiguredDestination } from "../../../src/alerts/settings.ts";
import { newId } from "../../../src/lib/ids.ts";
import { createSendPorts } from "../../../src/main/open-alerts.ts";
import { createAlertStore } from "../../../src/store/alerts/alert-store.ts";
import { appendAuditEntry } from "../../../src/store/audit/append-entry.ts";
import { createStoreReads } from "../../../src/store/dashboard/reads/reads.ts";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import { createKey } from "../../../src/store/keys/key-repository.ts";
import { periodAt } from "../../../src/store/types/period.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

const SECRET = `whsec_${Buffer.from("a secret of thirty-two bytes....").toString("base64")}`;
const MINUTE_MS = 60_000;
const TABLES = [
  ...(["Alert", "AlertDelivery", "AlertLease", "AlertSignal", "AuditEntry", "AuditChain"] as const),
  ...(["UsageHour", "RefusalHour", "WorkloadEvent"] as const),
];
const projectId = DEFAULT_PROJECT.id;

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly message: Message;
}

/** A receiver that answers with the statuses that are set, and with 204 after them. */
let server: Server;
const statuses: number[] = [];
const received: Received[] = [];
let url = "";

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      received.push({ headers: request.headers, body, message: JSON.parse(body) as Message });
      response.writeHead(statuses.shift() ?? 204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
});
afterAll(() => server.close());
beforeEach(() => {
  statuses.length = 0;
  received.length = 0;
});

const destination = (more: Partial<ConfiguredDestination> = {}): ConfiguredDestination => ({
  name: "ops",
  kind: "webhook",
  target: url,
  secret: SECRET,
  sends: ["alerts"],
  rules: undefined,
  ...more,
});

describe.each(ENGINES)("an alert keeper on %s", (engine) => {
  const databases = useDatabases(engine);

  /** Returns the database that the tests share, without what earlier ones left. */
  const open = async () => {
    for (const table of TABLES) await databases.store.query().deleteFrom(table).execute();
    return databases.store;
  };

  /** A process with a clock of its own, which stands beside the database's. */
  function createProcess(store: Store, settings: Partial<AlertSettings> = {}) {
    const clock = { nowMs: Date.now() };
    const signals = new LocalSignals();
    const outcomes: string[] = [];
    const counts: (readonly [string, number])[][] = [];
    const failures: unknown[] = [];
    const all: AlertSettings = {
      enabled: true,
      rules: DEFAULT_RULES,
      destinations: [destination()],
      smtp: undefined,
      allowPrivateAddresses: false,
      dashboardUrl: undefined,
      ...settings,
    };
    const sendPorts = { ...createSendPorts(() => all), now: () => clock.nowMs };
    const ports: KeeperPorts = {
      store: createAlertStore(store, { reads: createStoreReads(store) }),
      settings: () => all,
      signingKey: createSecretKey(Buffer.alloc(32)),
      signals,
      send: (delivery, to) => send(delivery, to, sendPorts),
      count: (_, outcome) => outcomes.push(outcome),
      onChange: () => {},
      onCount: (open) => counts.push([...open]),
      onFailure: (error) => failures.push(error),
      now: () => clock.nowMs,
    };
    const keeper = new AlertKeeper(ports);
    const report = (signal: Partial<Signal>) =>
      signals.set(
        {
          kind: "budget",
          subject: "USD a day of key 2b7c",
          projectId,
          value: 0.9,
          expiresAtMs: Date.now() + 10 * MINUTE_MS,
          ...signal,
        },
        clock.nowMs,
      );
    /** Has messages that wait for their next attempt be due. */
    const beDue = () =>
      store
        .query()
        .updateTable("AlertDelivery")
        .set({ nextAt: new Date(0) })
        .where("state", "=", "pending")
        .execute();
    /** Has open alerts be seen long ago. */
    const beOld = () =>
      store
        .query()
        .updateTable("Alert")
        .set({ seenAt: new Date(Date.now() - 6 * MINUTE_MS) })
        .execute();
    const tick = async () => {
      clock.nowMs += 31_000;
      await keeper.tick();
      expect(failures).toEqual([]);
    };
    return { keeper, signals, outcomes, counts, clock, report, beDue, beOld, tick, ports };
  }

  it("delivers a message after two failures, signed as Standard Webhooks has it, and tells when it is over", async () => {
    const store = await open();
    const { tick, report, beDue, beOld, outcomes, signals, counts } = createProcess(store);
    statuses.push(500, 302);
    report({});
    await tick();
    await beDue();
    await tick();
    await beDue();
    await tick();
    expect(outcomes).toEqual(["retried", "retried", "delivered"]);
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    const [{ headers, body, message } = {} as Received] = received.slice(2);
    expect(new Webhook(SECRET).verify(body, headers as Record<string, string>)).toEqual(message);
    const forged = body.replace("90%", "10%");
    expect(() => new Webhook(SECRET).verify(forged, headers as Record<string, string>)).toThrow(
      "No matching signature",
    );
    const text = "Budget used, project default: 90% of the budget is used: USD a day of key 2b7c";
    expect(message).toMatchObject({
      type: "alert.opened",
      data: { title: `Alert: ${text}`, text: `Alert: ${text}`, rule: "budget", kind: "budget", total: 1 },
    });
    expect(counts.at(-1)).toEqual([["budget", 1]]);

    signals.clear({ kind: "budget", subject: "USD a day of key 2b7c", projectId });
    await tick();
    // It has to be away for a while: one that comes and goes makes no messages.
    expect(received).toHaveLength(3);
    await beOld();
    await tick();
    expect(received[3]?.message).toMatchObject({ type: "alert.closed", data: { title: `Over: ${text}` } });
    expect(counts.at(-1)).toEqual([]);
    const rows = await store.query().selectFrom("Alert").selectAll().execute();
    expect(rows).toMatchObject([{ rule: "budget", projectId, openKey: null, isUntold: false }]);
    expect(rows[0]?.closedAt).toBeInstanceOf(Date);
  });

  it("makes one message of 1,000 alerts of one rule, and none of the same ones again", async () => {
    const store = await open();
    const { tick, report } = createProcess(store);
    for (let user = 0; user < 1000; user++) report({ subject: `USD a day of end user ${user}` });
    await tick();
    await tick();
    await tick();
    expect(received.map(({ message }) => [message.type, message.data["total"]])).toEqual([["alert.opened", 1000]]);
    expect(received[0]?.message.data["alerts"]).toHaveLength(20);
    expect(received[0]?.message.data.text).toMatch(/\nand 980 more$/);
  });

  it("names the key whose budget is used as people did", async () => {
    const store = await open();
    const { tick, report } = createProcess(store);
    const { info } = await createKey(store, { name: "checkout" });
    const keyId = info.publicId;
    report({ subject: `USD a day of key ${keyId}`, projectId: "", keyId });
    await tick();
    expect(received[0]?.message.data.title).toBe(
      `Alert: Budget used, project default: 90% of the budget is used: USD a day of key ${keyId} (checkout)`,
    );
  });

  it("makes one alert of a condition that many processes report, and sends it from one of them", async () => {
    const store = await open();
    const processes = [createProcess(store), createProcess(store), createProcess(store)];
    for (const { report } of processes)
      report({ kind: "deployment", subject: "openai/gpt-6", projectId: "", value: 3 });
    for (let turn = 0; turn < 3; turn++) await Promise.all(processes.map(({ tick }) => tick()));
    expect(received).toHaveLength(1);
    expect(received[0]?.message.data.title).toBe(
      "Alert: Deployment out: the deployment openai/gpt-6 has failed for 3 min",
    );
  });

  it("goes on in another process where one has ended between two attempts", async () => {
    const store = await open();
    const first = createProcess(store);
    statuses.push(503);
    first.report({});
    await first.tick();
    await first.keeper.close();
    const second = createProcess(store);
    await second.beDue();
    await second.tick();
    expect(received).toHaveLength(2);
    expect(received[1]?.body).toBe(received[0]?.body);
    expect(second.outcomes).toEqual(["delivered"]);
  });

  it("opens nothing twice, and tells once, where two processes hold the lease", async () => {
    const store = await open();
    const [first, second] = [createProcess(store), createProcess(store)];
    const condition = {
      projectId: "",
      rule: "spool",
      kind: "spool",
      subject: "",
      summary: "full",
      value: 1,
      threshold: 0.5,
    } as const;
    const opened = { opened: [condition], seen: [], closed: [] };
    const changed = [await first.ports.store.change(opened), await second.ports.store.change(opened)];
    expect(changed.map(({ opened: { length } }) => length)).toEqual([1, 0]);
    const untold = await first.ports.store.readUntold(10);
    expect([await first.ports.store.tell(untold, []), await second.ports.store.tell(untold, [])]).toEqual([
      true,
      false,
    ]);
  });

  it("tells of failed, slow and canceled calls and of refused keys by what the rollups counted since", async () => {
    const store = await open();
    const { tick } = createProcess(store);
    const hour = periodAt("hour", Date.now());
    const write = async (calls: { failed: number; completed: number; canceled: number; refused: number }) => {
      const counted = [
        ["failed", calls.failed],
        ["completed", calls.completed],
        ["canceled", calls.canceled],
      ] as const;
      for (const [status, count] of counted) {
        // Bucket 161 holds latencies of two minutes and more.
        await store
          .query()
          .insertInto("UsageHour")
          .values(usageRow({ status, count, hour }))
          .onConflict((conflict) =>
            conflict
              .columns([
                "projectId",
                "period",
                "keyId",
                "model",
                "servedModel",
                "upstream",
                "upstreamModel",
                "workload",
                "status",
                "errorReason",
              ])
              .doUpdateSet({ calls: count, costNanos: count, latencies: `161:${count} ` }),
          )
          .execute();
      }
      await store
        .query()
        .insertInto("RefusalHour")
        .values({
          projectId: "",
          period: hour,
          reason: "unknown_key",
          keyId: "",
          calls: calls.refused,
          firstMs: Date.now(),
          lastMs: Date.now(),
        })
        .onConflict((conflict) =>
          conflict.columns(["projectId", "period", "reason", "keyId"]).doUpdateSet({ calls: calls.refused }),
        )
        .execute();
    };
    await write({ failed: 900, completed: 100, canceled: 700, refused: 5000 });
    // What was counted before it began is not of its window.
    await tick();
    expect(received).toEqual([]);
    await write({ failed: 910, completed: 130, canceled: 720, refused: 5100 });
    await tick();
    expect(received.map(({ message }) => message.data.title).sort()).toEqual([
      "Alert: Error rate, project default: 25% of 40 calls failed in 15 minutes",
      "Alert: Latency (p95), project default: 5% of 40 calls took longer than 137 s in 15 minutes",
      "Alert: Refused keys: 100 calls with an unknown, revoked or expired key were refused in 15 minutes",
      "Alert: Spent on canceled calls, project default: 33.3% of the cost in 15 minutes was for 20 calls that ended before their answer",
    ]);
  });

  it("tells of drift, of metrics without a place, and of regret budgets that are exhausted and have not been reopened", async () => {
    const store = await open();
    const { tick } = createProcess(store);
    const events = [
      ["drift", "m1"],
      ["closed", "m1"],
      ["closed", "m2"],
      ["reopened", "m2"],
      ["metrics-full", "m3"],
    ] as const;
    for (const [kind, model] of events) {
      await store
        .query()
        .insertInto("WorkloadEvent")
        .values({ id: newId(), projectId, model, at: new Date(), kind, detail: {} })
        .execute();
    }
    await tick();
    expect(received.map(({ message }) => message.data.title).sort()).toEqual([
      "Alert: Drift, project default: the quality of m1 has drifted",
      "Alert: Metrics crowded out, project default: feedback on m3 has more names of numbers than are learned from",
      "Alert: Regret budget exhausted, project default: other models may lose no more against m1 for now: only m1 answers",
    ]);
  });

  it("sends the audit log in order, at least once, with the hashes of its chain", async () => {
    const store = await open();
    const { tick, beDue } = createProcess(store, {
      destinations: [destination({ name: "siem", sends: ["audit-log"] })],
    });
    const origin = { actor: { kind: "person", id: "7", label: "ada@example.com" }, via: "dashboard" } as const;
    const rename = (name: string) =>
      store.unitOfWork(async (em) =>
        appendAuditEntry(em, {
          ...origin,
          action: "projects.rename",
          target: { kind: "project", id: "p", name },
          before: null,
          after: { name },
        }),
      );
    for (const name of ["a", "b"]) await rename(name);
    statuses.push(500);
    await tick();
    await rename("c");
    // The first message has to arrive before the next one is made.
    await tick();
    expect(received).toHaveLength(1);
    await beDue();
    await tick();
    await tick();
    const sent = received.map(({ message }) => message.data["entries"] as { sequence: number; hash: string }[]);
    expect(sent.map((entries) => entries.map(({ sequence }) => sequence))).toEqual([[1, 2], [1, 2], [3]]);
    const hashes = await store.query().selectFrom("AuditEntry").select("hash").orderBy("sequence").execute();
    expect(
      sent
        .slice(1)
        .flat()
        .map(({ hash }) => hash),
    ).toEqual(hashes.map(({ hash }) => hash));
  });
});

function usageRow({ status, count, hour }: { readonly status: string; readonly count: number; readonly hour: number }) {
  return {
    projectId,
    period: hour,
    keyId: "k",
    model: "m",
    servedModel: "m",
    upstream: "u",
    upstreamModel: "m",
    workload: "",
    status,
    errorReason: "",
    calls: count,
    streamedCalls: 0,
    routedCalls: 0,
    inputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
    estimatedCalls: 0,
    pricedCalls: 0,
    costNanos: count,
    baseCostNanos: 0,
    latencyMicros: 0,
    latencies: `161:${count} `,
    firstTokenCalls: 0,
    firstTokenMicros: 0,
    firstTokens: "",
  };
}
