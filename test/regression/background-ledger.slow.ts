import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAdminKey } from "../../src/store/admin-keys/admin-key-repository.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { ADMIN_SCOPES } from "../../src/vocabulary/administrator.ts";
import type { Caller } from "../dashboard/caller.ts";
import { type DashboardService, startDashboardService } from "../dashboard/harness.ts";
import { signedIn } from "../dashboard/people.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import {
  type MeteredCall,
  type MeteredUpstream,
  type Script,
  scriptedPrompt,
  startMeteredUpstream,
} from "../support/metered-upstream.ts";

/** Nano-USD a token of any model. */
const [INPUT, OUTPUT] = [10_000, 20_000];
/** Tokens that an estimate of a call may be short by: what is made unseen within half a second. */
const SHORT_TOKENS = 50;
/** And over by, where a busy machine sees an end late: half of what a call may take. */
const OVER_TOKENS = 250;
/** The page that has the table: LEDGER_WRITE=1 writes it. */
const PAGE = join(import.meta.dirname, "..", "..", "docs", "notes", "costs.md");
const HEADING = "| in the background | upstream calls | upstream counted | on record |\n| --- | --- | --- | --- |\n";
const TIMEOUT_MS = 1500;
/** How long nothing happens once all is over, on a busy machine too. */
const QUIET_MS = 5000;

const yaml = (url: string, share: number): string => `
learning:
  mode: observe
  models: [other]
  unit: request
  shadow: { share: ${share}, judge: judge, usdPerDay: 100, timeoutMs: ${TIMEOUT_MS} }
upstreams:${["base", "other", "judge"]
  .map((name) => `\n  ${name}: { kind: openai-chat, baseUrl: "${url}/${name}", apiKey: a-key }`)
  .join("")}
models:${["base", "other", "judge"]
  .map(
    (name) => `
  - name: ${name}
    family: chat
    contextWindow: 200000
    maxOutputTokens: 2000
    price: { input: 10, output: 20 }
    deployments: [{ upstream: ${name}, model: m }]`,
  )
  .join("")}
`;

/** Calls that nobody waits for, and how they end. */
interface Way {
  readonly name: string;
  readonly kind: "trial" | "dataset" | "improvement";
  readonly other?: Script;
  readonly judge?: Script;
  /** When a run is canceled, after the other model was asked. */
  readonly canceledMs?: number;
}

const WAYS: readonly Way[] = [
  { name: "trials, graded", kind: "trial" },
  { name: "trials that lost their connection", kind: "trial", other: { hiddenMs: 250, ends: "reset" } },
  { name: "trials that broke off in the middle", kind: "trial", other: { hiddenMs: 250, ends: "cut" } },
  { name: "trials that ran into `shadow.timeoutMs`", kind: "trial", other: { hiddenMs: 5000 } },
  { name: "grades that can't be read", kind: "trial", judge: { says: 10 } },
  { name: "grades that lost their connection", kind: "trial", judge: { hiddenMs: 250, ends: "reset" } },
  { name: "a dataset's run, graded", kind: "dataset" },
  { name: "a dataset's run, canceled", kind: "dataset", other: { hiddenMs: 5000 }, canceledMs: 600 },
  { name: "an improvement", kind: "improvement" },
];
/** Calls of callers that a way begins with: trials need more until some are made. */
const CALLS: Readonly<Record<Way["kind"], number>> = { trial: 8, dataset: 6, improvement: 60 };
const MOST_CALLS = 100;
/** Calls of other models in an improvement. */
const TRIED = 20;

/** What each side says of a way, calls of callers included. */
interface Balance {
  readonly way: string;
  readonly calls: number;
  /** Calls of the other model among them. */
  readonly others: number;
  /** Calls whose upstream did not say what they took. */
  readonly unseen: number;
  readonly counted: number;
  readonly recorded: number;
}

interface OwnProject {
  readonly id: string;
  readonly key: string;
}

describe.each(ENGINES)("the ledger of calls in the background on %s", (engine) => {
  const databases = useDatabases(engine);
  let upstream: MeteredUpstream;
  /** One tries other models on each answer, one where it is told to. */
  const services = new Map<"trying" | "told", DashboardService>();
  let owner: { readonly userId: string; readonly caller: Caller };
  let adminKey = "";

  const serviceOf = (kind: Way["kind"]) =>
    services.get(kind === "trial" ? "trying" : "told") ?? expect.fail("no service has started");

  beforeAll(async () => {
    upstream = await startMeteredUpstream();
    for (const [name, share] of [["trying", 1] as const, ["told", 0] as const]) {
      const databaseUrl = databases.newUrl();
      services.set(name, await startDashboardService({ databaseUrl, configText: yaml(upstream.url, share) }));
    }
    owner = await signedIn(serviceOf("dataset"));
    const settings = { name: "ledger", scopes: ADMIN_SCOPES, projectId: undefined, expiresAt: null };
    adminKey = (await createAdminKey(serviceOf("improvement").store, settings)).key;
  });
  afterAll(async () => {
    for (const service of services.values()) await service.close();
    upstream.close();
  });

  async function newProject({ kind, name }: Way): Promise<OwnProject> {
    const service = serviceOf(kind);
    const { userId } = kind === "trial" ? await signedIn(service) : owner;
    const id = (await service.dashboard.projects.create(name, userId))?.id ?? expect.fail("no project was made");
    return { id, key: (await createKey(service.store, { name: "k", projectId: id })).key };
  }

  async function post<T>(url: string, key: string, body: object): Promise<T> {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    expect(response.status, await response.clone().text()).toBe(200);
    return (await response.json()) as T;
  }

  const ofOther = (id: string) => asked(id).filter(({ place }) => place === "other");
  const asked = (id: string): readonly MeteredCall[] => upstream.calls.filter(({ way }) => way === id);

  /** Asks base as often as a way needs, with feedback on some answers: without any nothing is tried. */
  async function callAll({ kind, other = {}, judge }: Way, { id, key }: OwnProject): Promise<void> {
    const { url } = serviceOf(kind);
    const [good, bad] = await Promise.all(
      (["good", "bad"] as const).map((grades) => scriptedPrompt(id, { other, judge: judge ?? { grades } })),
    );
    const isEnough = (call: number): boolean =>
      call >= CALLS[kind] && (kind !== "trial" || call === MOST_CALLS || ofOther(id).length >= 3);
    for (let call = 0; !isEnough(call); call += 1) {
      const messages = [{ role: "user", content: `${call % 6 === 0 ? bad : good} ${call}` }];
      const body = { model: "attune/base", max_tokens: 500, messages };
      const { id: inference } = await post<{ id: string }>(`${url}/v1/chat/completions`, key, body);
      if (kind === "dataset" || call % 2 === 1) continue;
      await post(`${url}/v1/feedback`, key, [{ id: inference, feedback: { good: call % 6 !== 0 } }]);
    }
  }

  /** Runs a dataset of all recorded requests against both models. */
  async function runDataset({ canceledMs }: Way, { id: projectId }: OwnProject): Promise<void> {
    const ask = async (kind: "mutate" | "query", path: string, input: object) => {
      const { data, error } = await owner.caller[kind](path, { projectId, ...input });
      expect(error).toBeUndefined();
      return data as { id: string; nanos: number; added: number; run: { state: string } };
    };
    const models = ["base", "other"];
    const { id } = await ask("mutate", "datasets.create", { name: "all" });
    let added = 0;
    const addAll = async () => {
      added += (await ask("mutate", "datasets.addFiltered", { id, filter: {} })).added;
      return added;
    };
    await expect.poll(addAll, { timeout: 60_000 }).toBe(CALLS.dataset);
    const { nanos } = await ask("query", "datasetRuns.estimate", { id, models });
    const run = await ask("mutate", "datasetRuns.start", { id, models, confirmedNanos: nanos });
    if (canceledMs !== undefined) {
      const ofRun = () => asked(projectId).length - CALLS.dataset;
      await expect.poll(ofRun, { timeout: 60_000, interval: 5 }).toBeGreaterThan(4);
      await delay(canceledMs);
      await ask("mutate", "datasetRuns.cancel", { id: run.id });
    }
    const state = async () => (await ask("query", "datasetRuns.read", { id: run.id })).run.state;
    await expect.poll(state, { timeout: 120_000 }).toBe(canceledMs === undefined ? "completed" : "cancelled");
  }

  async function improve({ id }: OwnProject): Promise<void> {
    const url = `${serviceOf("improvement").url}/v1/admin/projects/${id}/workloads/base/improvement`;
    const headers = { authorization: `Bearer ${adminKey}` };
    await post(url, adminKey, { max_usd: 50, max_calls: TRIED });
    const state = async () => ((await (await fetch(url, { headers })).json()) as { state: string }).state;
    await expect.poll(state, { timeout: 120_000, interval: 200 }).toBe("done");
  }

  /** Returns what is on record of all calls of a project. */
  async function recordedOf(kind: Way["kind"], projectId: string): Promise<number> {
    const tables = serviceOf(kind).store.query();
    const [calls, trials, answers] = await Promise.all([
      tables.selectFrom("Inference").select("costNanos").where("projectId", "=", projectId).execute(),
      tables.selectFrom("ShadowTrial").select("costNanos").where("projectId", "=", projectId).execute(),
      tables
        .selectFrom("DatasetAnswer")
        .innerJoin("DatasetRun", "DatasetRun.id", "DatasetAnswer.run")
        .select(["DatasetAnswer.costNanos", "DatasetAnswer.gradeNanos"])
        .where("DatasetRun.projectId", "=", projectId)
        .execute(),
    ]);
    const costs = [...calls, ...trials, ...answers].flatMap((row) => Object.values(row));
    return costs.reduce<number>((sum, cost) => sum + Number(cost ?? 0), 0);
  }

  /** Waits until nothing was asked or recorded for far longer than the calls of a trial take together. */
  async function settle(kind: Way["kind"], projectId: string): Promise<void> {
    let [known, since] = ["", performance.now()];
    while (performance.now() - since < QUIET_MS) {
      const now = `${nanosOf(asked(projectId))} ${await recordedOf(kind, projectId)}`;
      if (now !== known) [known, since] = [now, performance.now()];
      await delay(100);
    }
  }

  async function weigh(way: Way): Promise<Balance> {
    const { kind, name } = way;
    const project = await newProject(way);
    await callAll(way, project);
    if (kind === "dataset") await runDataset(way, project);
    if (kind === "improvement") await improve(project);
    await settle(kind, project.id);
    const own = asked(project.id);
    const recorded = await recordedOf(kind, project.id);
    const hidden = [way.other, way.judge].map((script) => script?.hiddenMs !== undefined);
    const unseen = own.filter(({ place }) => hidden[["other", "judge"].indexOf(place)] === true).length;
    const others = ofOther(project.id).length;
    return { way: name, calls: own.length, others, unseen, counted: nanosOf(own), recorded };
  }

  it("has no less on record than the upstream counted, nor far more", async () => {
    const balances = await Promise.all(WAYS.map(weigh));
    const wrong = balances.filter(({ unseen, counted, recorded }) => {
      const [short, over] = [SHORT_TOKENS, OVER_TOKENS].map((tokens) => unseen * tokens * OUTPUT) as [number, number];
      return recorded < 0.98 * counted - short || recorded > 1.1 * counted + over;
    });
    expect(wrong).toEqual([]);
    expect(balances.filter(({ others }) => others < 3)).toEqual([]);
    // The money of the day is of the calls that no dataset's run made.
    for (const kind of ["trial", "improvement"] as const) {
      const tables = serviceOf(kind).store.query();
      const days = await tables.selectFrom("ShadowDay").select("spentNanos").execute();
      const trials = await tables.selectFrom("ShadowTrial").select("costNanos").execute();
      const sum = (values: readonly (number | null)[]) => values.reduce<number>((all, one) => all + Number(one), 0);
      const spent = sum(days.map(({ spentNanos }) => spentNanos));
      expect(spent).toBe(sum(trials.map(({ costNanos }) => costNanos)));
    }
    const page = readFileSync(PAGE, "utf8");
    const [before = "", after = ""] = page.split(HEADING);
    const [told = ""] = after.split("\n\n", 1);
    if (process.env["LEDGER_WRITE"] !== undefined) {
      writeFileSync(PAGE, before + HEADING + balances.map(lineOf).join("\n") + after.slice(told.length));
      return;
    }
    expect(told.split("\n").map((line) => line.split(" | ")[0]?.slice(2))).toEqual(WAYS.map(({ name }) => name));
  });
});

function nanosOf(calls: readonly MeteredCall[]): number {
  return calls.reduce((total, { input, output }) => total + input * INPUT + output * OUTPUT, 0);
}

/** Returns the line of a way in the table. */
function lineOf({ way, calls, counted, recorded }: Balance): string {
  const amounts = [counted, recorded].map((nanos) => (nanos / 1e9).toFixed(4));
  return `| ${[way, calls, ...amounts].join(" | ")} |`;
}
