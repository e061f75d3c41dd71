import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resolveControls } from "../../src/learning/controls.ts";
import { stateByError } from "../../src/lib/database-state.ts";
import { newId } from "../../src/lib/ids.ts";
import { newAccount } from "../../src/store/dashboard/accounts.ts";
import type { ProjectRule } from "../../src/store/dashboard/alerts.ts";
import { createDashboardStore, type DashboardStore } from "../../src/store/dashboard/dashboard-store.ts";
import { transact } from "../../src/store/database/executor.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { withStatementLimit } from "../../src/store/database/statement-limit.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import type { Store } from "../../src/store/types/store.ts";
import { MEASURED_PROCEDURES } from "../bench/measured-procedures.ts";
import { probe } from "../chaos/probe.ts";
import { type DashboardService, startDashboardService } from "../dashboard/harness.ts";
import { createPeople, type People } from "../dashboard/people.ts";
import { useDatabases } from "../support/database.ts";
import { readWhenWritten } from "../support/read-when-written.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";

/** Five seconds for a statement, and what a busy machine takes. */
const LONGEST_MS = 9000;
/**
 * A call of the dashboard has three, for the session, the role and itself; each may wait for the connection and then
 * get it.
 */
const LONGEST_CALL_MS = 3 * 5000 + 4000;
const MODEL = "attune/claude-haiku-5-5";

const range = { from: new Date("2026-11-01T00:00:00Z"), to: new Date("2026-12-01T00:00:00Z") };
const [projectId, id, hash] = [newId(), newId(), "none"];
const hours = { fromMs: range.from.getTime(), toMs: range.to.getTime(), stepMs: 3_600_000, periodMs: 86_400_000 };
const workload = { projectId, model: "some-model" };
const PLAN = {
  controls: resolveControls(undefined, undefined, { mode: "on" }),
  alternativesOf: () => [],
  priceOf: () => undefined,
};
const figures = { projectId, ...hours, group: "none" as const };
const attempt = { account: "someone@example.com", address: "127.0.0.1" };
const browser = { userId: id, address: "127.0.0.1", userAgent: "test" };

const alertRule: ProjectRule = {
  name: "mine",
  kind: "drift",
  threshold: 1,
  windowMinutes: 60,
  minCalls: 0,
  isEnabled: true,
};
const alertDestination = { projectId, name: "ops", kind: "email", target: "ops@example.com" } as const;

async function exportDataset({ datasets }: DashboardStore): Promise<void> {
  for await (const _ of datasets.export({ projectId, id }, new AbortController().signal));
}

const grants = { provider: "company", issuer: "https://login.example.com", roles: new Map() };

/** One call of everything that a dashboard asks of its database: what is new does not compile without being here. */
const CALLS: {
  readonly [Area in Exclude<keyof DashboardStore, "as">]: {
    readonly [Method in keyof DashboardStore[Area]]: (store: DashboardStore) => Promise<unknown>;
  };
} = {
  accounts: {
    findByEmail: ({ accounts }) => accounts.findByEmail("someone@example.com"),
    find: ({ accounts }) => accounts.find(id),
    list: ({ accounts }) => accounts.list(),
    isEmpty: ({ accounts }) => accounts.isEmpty(),
    noteRefused: ({ accounts }) => accounts.noteRefused({ ...newAccount("", hash), id }),
    setPassword: ({ accounts }) => accounts.setPassword(id, hash),
  },
  alerts: {
    list: ({ alerts }) => alerts.list(projectId, { limit: 5 }),
    open: ({ alerts }) => alerts.open(projectId),
    rules: ({ alerts }) => alerts.rules(projectId),
    setRule: ({ alerts }) => alerts.setRule(projectId, alertRule),
    removeRule: ({ alerts }) => alerts.removeRule(projectId, alertRule.name),
    destinations: ({ alerts }) => alerts.destinations(projectId),
    addDestination: ({ alerts }) => alerts.addDestination(alertDestination),
    removeDestination: ({ alerts }) => alerts.removeDestination(projectId, id),
    deliveries: ({ alerts }) => alerts.deliveries(projectId, 5),
    beginTest: ({ alerts }) => alerts.beginTest({ ...alertDestination, id }),
    endTest: ({ alerts }) =>
      alerts.endTest({ ...alertDestination, id }, { id, body: "{}", status: 200, problem: undefined }),
  },
  providerSignIns: {
    begin: ({ providerSignIns }) =>
      providerSignIns.begin({
        subject: "ada",
        verifiedEmail: "ada@example.com",
        refreshToken: undefined,
        providerSession: undefined,
        grants,
        linksAccounts: false,
        address: "127.0.0.1",
        userAgent: "test",
      }),
    claimRefresh: ({ providerSignIns }) => providerSignIns.claimRefresh(id, 1000),
    refreshed: ({ providerSignIns }) =>
      providerSignIns.refreshed({ sessionId: id, userId: id, secret: "secret", refreshToken: undefined, grants }),
    endByProvider: ({ providerSignIns }) =>
      providerSignIns.endByProvider({ ...grants, subject: "ada", providerSession: undefined }),
  },
  attempts: {
    count: ({ attempts }) => attempts.count(attempt),
    forget: ({ attempts }) => attempts.forget(attempt),
  },
  auditLog: {
    list: ({ auditLog }) => auditLog.list({ projectId, limit: 5 }),
    export: ({ auditLog }) => auditLog.export({ projectId }).next(),
  },
  datasetRuns: {
    requests: ({ datasetRuns }) => datasetRuns.requests({ projectId, id }, 5),
    list: ({ datasetRuns }) => datasetRuns.list({ projectId, id }),
    create: ({ datasetRuns }) =>
      datasetRuns.create({ projectId, id }, { models: ["a", "b"], requests: 1, estimatedNanos: null }),
    read: ({ datasetRuns }) => datasetRuns.read({ projectId, id }),
    answers: ({ datasetRuns }) => datasetRuns.answers(id),
    page: ({ datasetRuns }) => datasetRuns.page(id, { limit: 5 }),
    cancel: ({ datasetRuns }) => datasetRuns.cancel({ projectId, id }),
  },
  datasets: {
    list: ({ datasets }) => datasets.list(projectId),
    create: ({ datasets }) => datasets.create(projectId, "good answers"),
    remove: ({ datasets }) => datasets.remove({ projectId, id }),
    add: ({ datasets }) => datasets.add({ projectId, id }, [id]),
    drop: ({ datasets }) => datasets.drop({ projectId, id }, id),
    export: exportDataset,
  },
  endUsers: {
    count: ({ endUsers }) => endUsers.count({ projectId, endUserId: "ada" }),
    deletions: ({ endUsers }) => endUsers.deletions(projectId),
    export: ({ endUsers }) => endUsers.export({ projectId, endUserId: "ada" }, new AbortController().signal).next(),
  },
  improvements: {
    read: ({ improvements }) => improvements.read(workload),
    plan: ({ improvements }) => improvements.plan(workload, PLAN),
    offer: ({ improvements }) => improvements.offer(workload, PLAN),
  },
  invitations: {
    create: ({ invitations }) => invitations.create({ projectId, email: "a@example.com", role: "viewer" }),
    list: ({ invitations }) => invitations.list(projectId),
    revoke: ({ invitations }) => invitations.revoke(projectId, id),
    open: ({ invitations }) => invitations.open("secret"),
    accept: ({ invitations }) => invitations.accept("secret", hash),
  },
  keys: {
    list: ({ keys }) => keys.list({ projectId, limit: 1 }),
    names: ({ keys }) => keys.names(projectId, ["2b7c"]),
  },
  learned: {
    controls: ({ learned }) => learned.controls(projectId, { mode: "on" }),
  },
  memberships: {
    findRole: ({ memberships }) => memberships.findRole(id, projectId),
    listProjects: ({ memberships }) => memberships.listProjects(id),
    listMembers: ({ memberships }) => memberships.listMembers(projectId),
    add: ({ memberships }) => memberships.add(projectId, { id, email: "a@example.com" }, "viewer"),
    setRole: ({ memberships }) => memberships.setRole({ projectId, userId: id }, "viewer"),
    remove: ({ memberships }) => memberships.remove({ projectId, userId: id }),
  },
  playground: {
    findOrCreateKey: ({ playground }) => playground.findOrCreateKey({ projectId, userId: id, email: "a@example.com" }),
    revoked: ({ playground }) => playground.revoked(projectId),
    allow: ({ playground }) => playground.allow({ projectId, userId: id }),
    readFacts: ({ playground }) => playground.readFacts(projectId, id),
  },
  projects: {
    create: ({ projects }) => projects.create("new", id),
    rename: ({ projects }) => projects.rename(projectId, "renamed"),
    listDeletions: ({ projects }) => projects.listDeletions(id),
  },
  quotas: {
    list: ({ quotas }) => quotas.list(projectId, { kinds: ["key"], limit: 5 }),
    general: ({ quotas }) => quotas.general(),
  },
  reads: {
    compareModels: ({ reads }) => reads.compareModels({ projectId, range }),
    groupLatestFailures: ({ reads }) => reads.groupLatestFailures({ projectId, range, by: ["user"], limit: 1 }),
    groupRefusals: ({ reads }) => reads.groupRefusals({ projectId, range, stepMs: 60_000, byKey: true, limit: 1 }),
    keepOwn: ({ reads }) => reads.keepOwn(projectId, [id]),
    listFeedback: ({ reads }) => reads.listFeedback({ projectId, limit: 5 }),
    listHistory: ({ reads }) => reads.listHistory({ projectId, limit: 5, text: "hello" }),
    readAttempts: ({ reads }) => reads.readAttempts([id]),
    readBodySizes: ({ reads }) => reads.readBodySizes([id]),
    readCallCounts: ({ reads }) => reads.readCallCounts(hours.fromMs),
    readChanges: ({ reads }) => reads.readChanges({ projectId, range }),
    readDataset: ({ reads }) => reads.readDataset({ projectId, datasetId: id, limit: 5 }),
    readEarlier: ({ reads }) => reads.readEarlier({ projectId, previousId: id, limit: 5 }),
    readEvents: ({ reads }) => reads.readEvents(workload),
    readFacets: ({ reads }) => reads.readFacets({ projectId }),
    readFailedCalls: ({ reads }) => reads.readFailedCalls({ projectId, range, limit: 1 }),
    groupFailures: ({ reads }) => reads.groupFailures({ projectId, ...hours, stepMs: 60_000, by: ["reason"] }),
    readFailures: ({ reads }) => reads.readFailures({ projectId, ...hours, stepMs: 60_000, by: ["reason"] }),
    readFeedbackSizes: ({ reads }) => reads.readFeedbackSizes({ inferenceIds: [id], after: "", limit: 1 }),
    readFigures: ({ reads }) => reads.readFigures(figures),
    readInferenceWithFeedback: ({ reads }) => reads.readInferenceWithFeedback(projectId, id),
    readLearnedWorkload: ({ reads }) => reads.readLearnedWorkload(workload),
    readLearnedWorkloads: ({ reads }) => reads.readLearnedWorkloads(projectId),
    readManagedItems: ({ reads }) => reads.readManagedItems({ projectId, limit: 1 }),
    readMeasures: ({ reads }) =>
      reads.readMeasures({ projectId, range, bucket: "none", by: ["key"], measures: ["calls"] }),
    readCallSteps: ({ reads }) => reads.readCallSteps({ projectId, ...hours, stepMs: 60_000, by: ["model"] }),
    readMetricSteps: ({ reads }) => reads.readMetricSteps({ projectId, ...hours, stepMs: 60_000, group: "none" }),
    readMetricTotals: ({ reads }) => reads.readMetricTotals({ projectId, ...hours, stepMs: 60_000, group: "none" }),
    readNames: ({ reads }) => reads.readNames(projectId),
    readNewer: ({ reads }) => reads.readNewer({ projectId, id }),
    readOutlooks: ({ reads }) => reads.readOutlooks(projectId, []),
    readDeciding: ({ reads }) => reads.readDeciding(workload),
    readPair: ({ reads }) => reads.readPair(workload),
    readRefusalSteps: ({ reads }) => reads.readRefusalSteps({ projectId, range, stepMs: 60_000 }),
    readRefusals: ({ reads }) => reads.readRefusals({ projectId, since: new Date(0) }),
    readSessionRun: ({ reads }) => reads.readSessionRun({ projectId, sessionId: "s" }),
    readShadowUsage: ({ reads }) => reads.readShadowUsage({ ...workload, ...range }),
    readSpend: ({ reads }) => reads.readSpend({ projectId, ...range, groupBy: ["key"] }),
    readUnnamedCosts: ({ reads }) =>
      reads.readUnnamedCosts({ projectId, kind: "tag", names: ["a=b"], range: { from: new Date(0), to: new Date() } }),
    readUsageReport: ({ reads }) => reads.readUsageReport({ projectId, ...range, groupBy: [] }),
    readWorkloadPoints: ({ reads }) => reads.readWorkloadPoints({ key: workload, step: 60, ...hours }),
    searchNotes: ({ reads }) => reads.searchNotes({ projectId, text: "good", limit: 5 }),
    selectBodies: ({ reads }) => reads.selectBodies([id]),
    selectFeedback: ({ reads }) => reads.selectFeedback([id]),
    sortHistory: ({ reads }) => reads.sortHistory({ projectId, limit: 5, order: "cost" }),
  },
  rebuilds: {
    read: ({ rebuilds }) => rebuilds.read(projectId),
  },
  requestExports: {
    facts: ({ requestExports }) =>
      requestExports.facts({ projectId, format: "csv" }, new AbortController().signal).next(),
    whole: ({ requestExports }) =>
      requestExports.whole({ projectId, format: "records" }, new AbortController().signal).next(),
  },
  resets: {
    createForMember: ({ resets }) => resets.createForMember({ projectId, userId: id, madeBy: id }),
    createForAccount: ({ resets }) => resets.createForAccount(id),
    open: ({ resets }) => resets.open("secret"),
    redeem: ({ resets }) => resets.redeem("secret", hash),
  },
  savedViews: {
    list: ({ savedViews }) => savedViews.list(projectId),
    save: ({ savedViews }) => savedViews.save(projectId, { name: "failed", search: "status=failed" }),
    remove: ({ savedViews }) => savedViews.remove(projectId, id),
  },
  sessions: {
    begin: ({ sessions }) => sessions.begin(browser),
    beginByPassword: ({ sessions }) => sessions.beginByPassword(browser, "hash"),
    resume: ({ sessions }) => sessions.resume("secret"),
    list: ({ sessions }) => sessions.list(id),
    end: ({ sessions }) => sessions.end(id, id),
    endAll: ({ sessions }) => sessions.endAll(id),
  },
  settings: {
    read: ({ settings }) => settings.read(projectId),
  },
  setup: {
    newLink: ({ setup }) => setup.newLink(),
    accepts: ({ setup }) => setup.accepts("secret"),
    firstLink: ({ setup }) => setup.firstLink(),
    createFirstOwner: ({ setup }) => setup.createFirstOwner({ email: "a@example.com", passwordHash: hash }),
    createOwner: ({ setup }) => setup.createOwner("secret", { email: "a@example.com", passwordHash: hash }),
  },
};

const LIMIT_MS = 300;
/** What the thread that writes may take to tell that it has written. */
const REPORT_MS = 1000;

// A frozen database left GET /v1/responses/{id} unanswered for a minute.
describe("what a dashboard asks of a PostgreSQL that has stopped", () => {
  const databases = useDatabases("postgres");
  let proxy: TcpProxy;
  let store: Store;

  beforeAll(async () => {
    const url = new URL(databases.url);
    proxy = await startTcpProxy(Number(url.port));
    url.port = String(proxy.port);
    store = await openStore(url.href);
    proxy.freeze();
  });

  afterAll(async () => {
    await store.close();
    await proxy.close();
  });

  const calls = Object.entries(CALLS).flatMap(([area, methods]) =>
    Object.entries<(store: DashboardStore) => Promise<unknown>>(methods).map(
      ([method, call]) => [`${area}.${method}`, call] as const,
    ),
  );

  it("is given up, whatever it is", async () => {
    const dashboard = createDashboardStore(store);
    const begun = performance.now();
    const states = await Promise.all(
      calls.map(async ([name, call]) => {
        const state = await withStatementLimit(LIMIT_MS, () => call(dashboard).then(() => "ok", stateByError));
        return [name, state];
      }),
    );
    expect(states).toEqual(calls.map(([name]) => [name, "away"]));
    expect(performance.now() - begun).toBeLessThan(LONGEST_MS);
  });
});

interface Service extends DashboardService {
  /** A key that was just used, and one that nobody has used yet. */
  readonly known: string;
  readonly unused: string;
  readonly people: People;
}

async function start(databaseUrl: string): Promise<Service> {
  const service = await startDashboardService({ databaseUrl });
  const people = await createPeople(service);
  const [known, unused] = [
    await createKey(service.store, { name: "known" }),
    await createKey(service.store, { name: "unused" }),
  ];
  return { ...service, people, known: known.key, unused: unused.key };
}

const asking = (key: string, method: string, body?: unknown): RequestInit => ({
  method,
  headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
});

async function respond({ url, known }: Service): Promise<string> {
  const { body } = await probe(`${url}/v1/responses`, asking(known, "POST", { model: MODEL, input: "Hello" }));
  return (body as { id: string }).id;
}

/** Resolves once a record is in the database, and no longer in the memory of the service. */
async function written(store: Store, inferenceId: string): Promise<void> {
  await readWhenWritten(store, inferenceId);
  await delay(REPORT_MS);
}

/** Asks for everything that reads something at once. Resolves to the statuses by what was asked. */
async function askAll(service: Service, responseId: string): Promise<Readonly<Record<string, number>>> {
  const { url, known, unused, people } = service;
  const stored = `${url}/v1/responses/${responseId}`;
  const feedback = [{ id: responseId, feedback: { good: true } }];
  const continued = { model: MODEL, input: "And?", previous_response_id: responseId };
  const { cookie = "" } = people.byRole.owner;
  const asked: Record<string, () => ReturnType<typeof probe>> = {
    "GET response": () => probe(stored, asking(known, "GET")),
    "GET input_items": () => probe(`${stored}/input_items`, asking(known, "GET")),
    "DELETE response": () => probe(stored, asking(known, "DELETE")),
    continuation: () => probe(`${url}/v1/responses`, asking(known, "POST", continued)),
    feedback: () => probe(`${url}/v1/feedback`, asking(known, "POST", feedback)),
    "unknown key": () => probe(`${url}/v1/models`, asking(unused, "GET")),
    readyz: () => probe(`${url}/readyz`),
    session: () => probe(`${url}/dashboard/api/session.current`, { headers: { cookie } }),
  };
  for (const { path, input } of MEASURED_PROCEDURES) {
    const query = encodeURIComponent(JSON.stringify({ projectId: people.projectId, ...input(responseId) }));
    asked[path] = () => probe(`${url}/dashboard/api/${path}?input=${query}`, { headers: { cookie } });
  }
  const answers = await Promise.all(
    Object.entries(asked).map(async ([what, ask]) => {
      const { status, ms, body, retryAfter } = await ask();
      // A key that has to be read again by then is refused, and with it the whole request.
      const isList = what === "feedback" && Array.isArray(body);
      const told =
        (isList ? (body as [{ error: { status_code: number } | null }])[0].error : null)?.status_code ?? status;
      if (ms > LONGEST_CALL_MS) throw new Error(`${what}: ${status} after ${ms.toFixed(0)} ms`);
      if (status === 503 && !(Number(retryAfter) > 0)) throw new Error(`${what}: 503 without retry-after`);
      return [what, told] as const;
    }),
  );
  return Object.fromEntries(answers);
}

describe("a service on a PostgreSQL that has stopped", () => {
  const databases = useDatabases("postgres");

  it("answers everything that reads in time", async () => {
    const url = new URL(databases.url);
    const proxy = await startTcpProxy(Number(url.port));
    url.port = String(proxy.port);
    const service = await start(url.href);
    const responseId = await respond(service);
    await written(databases.store, responseId);
    proxy.freeze();
    const { readyz, ...others } = await askAll(service, responseId);
    expect(readyz).toBe(200);
    expect(others).toEqual(Object.fromEntries(Object.keys(others).map((what) => [what, 503])));
    proxy.thaw();
    await service.close();
    await proxy.close();
  });
});

describe("a service on an SQLite file that another process has locked", () => {
  const databases = useDatabases("sqlite");

  it("answers everything that reads in time, most of it as ever", async () => {
    const service = await start(databases.url);
    const responseId = await respond(service);
    await written(databases.store, responseId);
    const other = await openStore(databases.url);
    const [locked, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = transact(other, async () => {
      locked.resolve();
      await end.promise;
    });
    await locked.promise;
    const { "DELETE response": deleted, ...others } = await askAll(service, responseId);
    end.resolve();
    await holder;
    await other.close();
    await service.close();
    expect(deleted).toBe(503);
    // Those that come after what wants to write wait with it for the connection that they share.
    for (const [what, status] of Object.entries(others))
      expect([what, [200, 404, 503]]).toEqual([what, expect.arrayContaining([status])]);
    expect(others["readyz"]).toBe(200);
  });
});
