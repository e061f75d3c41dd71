import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { createLog } from "../../src/observability/log.ts";
import { firstDayKept } from "../../src/store/database/first-day-kept.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { ensurePartitions } from "../../src/store/partitions/ensure-partitions.ts";
import { writeQuota } from "../../src/store/quotas/write-quota.ts";
import { writeRefusals } from "../../src/store/refusals/write-refusals.ts";
import { createMaintenance } from "../../src/store/retention/maintenance.ts";
import type { Store } from "../../src/store/types/store.ts";
import { writeBatch } from "../../src/store/write/recorder/write-batch.ts";
import { buildPeriods } from "../../src/store/write/rollups/build-periods.ts";
import type { Caller } from "../dashboard/caller.ts";
import { type DashboardService, startDashboardService } from "../dashboard/harness.ts";
import { signedIn } from "../dashboard/people.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { idAt, refusedAt } from "../support/rows.ts";
import { createCliFolder } from "../support/run-cli.ts";
import { shadowRecord } from "../support/shadow-record.ts";
import { Comparison } from "./oracle/compare.ts";
import { refusedByKey } from "./oracle/errors.ts";
import { type History, makeHistory, Random, timeBefore } from "./oracle/history.ts";
import { DAY, floor, HOUR, MINUTE, WEEK } from "./oracle/naive.ts";
import type { Asked } from "./oracle/page.ts";
import { BUDGET_OWNERS, BUDGETS, PAGES } from "./oracle/pages.ts";
import { newestFirst, promptTokens, requestsCsv } from "./oracle/requests.ts";
import { RUNS } from "./oracle/table.ts";
import { daysOf, GROUPINGS, usage } from "./oracle/usage.ts";

/** Days of which hours are kept, in the second half. */
const HOURS_DAYS = 20;

const SPANS = {
  "1h": { stepMs: 2 * MINUTE, steps: 30 },
  "24h": { stepMs: HOUR, steps: 24 },
  "7d": { stepMs: 6 * HOUR, steps: 28 },
  "30d": { stepMs: DAY, steps: 30 },
  "90d": { stepMs: DAY, steps: 90 },
  "1y": { stepMs: WEEK, steps: 53 },
} as const;

type Time = Pick<Asked, "range" | "window">;

/** Returns the time that a span until now means. */
function spanOf(range: keyof typeof SPANS, nowMs: number): Time {
  const { stepMs, steps } = SPANS[range];
  const fromMs = floor(nowMs, stepMs) + stepMs - steps * stepMs;
  return { range: { range }, window: { fromMs, toMs: nowMs, stepMs, periodMs: steps * stepMs } };
}

/** Returns a time that somebody chose, by chance, and what it means: whole hours. */
function chosenTime(random: Random, nowMs: number): Time {
  const [from = 0, to = 0] = [timeBefore(random, nowMs), timeBefore(random, nowMs)].sort((a, b) => a - b);
  const times = { from: new Date(from).toISOString(), to: new Date(to + 1).toISOString() };
  const [fromMs, endMs] = [floor(from, HOUR), floor(to + HOUR, HOUR)];
  const days = (endMs - fromMs) / DAY;
  const stepMs = days <= 2 ? HOUR : days <= 14 ? 6 * HOUR : days <= 120 ? DAY : WEEK;
  const window = { fromMs, toMs: Math.min(endMs, nowMs), stepMs, periodMs: endMs - fromMs };
  return { range: { range: "custom", ...times }, window };
}

/** Writes a history as it comes: in batches, some of it after weeks were summed up. */
async function write(
  store: Store,
  random: Random,
  { projectId, calls, feedback, refused, trials, run }: History,
): Promise<void> {
  const times = calls.map(({ startedAt }) => startedAt.getTime());
  await ensurePartitions(store, new Date(Math.min(...times) - DAY), new Date());
  const late = calls.filter(() => random.next() < 0.2);
  const rated = (some: readonly { readonly id: string }[]) => {
    const ids = new Set(some.map(({ id }) => id));
    return feedback.filter(({ inferenceId }) => ids.has(inferenceId));
  };
  for (const part of [calls.filter((call) => !late.includes(call)), late]) {
    const inferences = part.map((row) => ({ row, attempts: [], request: undefined, response: undefined }));
    await writeBatch(store, { inferences, feedback: rated(part) });
    await buildPeriods(store, new Date());
  }
  const half = refused.length / 2;
  for (const part of [refused.slice(0, half), refused.slice(half)]) {
    const counts = part.map(({ atMs, ...one }) => ({ ...one, ...refusedAt(atMs), projectId }));
    await writeRefusals(store, { counts, samples: [] });
  }
  await writeRun(store, { projectId, run });
  const first = random.below(2 ** 31);
  const rows = trials.map(({ atMs, ...trial }, at) => ({
    ...shadowRecord({ ...trial, projectId, startedAt: new Date(atMs) }),
    id: idAt(new Date(atMs).toISOString(), first + at),
    inferenceId: calls[0]?.id ?? "",
  }));
  await store.query().insertInto("ShadowTrial").values(rows).execute();
  for (const owner of BUDGET_OWNERS) await writeQuota(store, { owner: { ...owner, projectId }, change: BUDGETS });
}

/** Writes a dataset that lists what a run of it has asked, and the run with its answers. */
async function writeRun(store: Store, { projectId, run }: Pick<History, "projectId" | "run">): Promise<void> {
  const inferenceIds = [...new Set(run.answers.map(({ inferenceId }) => inferenceId))];
  const dataset = newId();
  const [createdAt, by] = [new Date(), "ada@example.com"];
  const tables = store.query();
  await tables
    .insertInto("Dataset")
    .values({ id: dataset, project: projectId, name: "one", createdBy: by, createdAt })
    .execute();
  const listed = inferenceIds.map((inferenceId) => ({ dataset, inferenceId }));
  await tables.insertInto("DatasetRow").values(listed).execute();
  await tables
    .insertInto("DatasetRun")
    .values({
      id: run.id,
      dataset,
      projectId,
      firstModel: "large",
      secondModel: "small",
      requests: inferenceIds.length,
      estimatedNanos: null,
      state: "completed",
      cancelRequested: false,
      createdBy: by,
      createdAt,
      beatAt: createdAt,
      endedAt: createdAt,
    })
    .execute();
  const answers = run.answers.map((answer) => ({ id: newId(), run: run.id, problem: null, ...answer }));
  await tables.insertInto("DatasetAnswer").values(answers).execute();
}

/** Compares all figures with what the rows say: `histories` on each engine, each asked `rounds` times. */
export function compareFigures({
  seed,
  histories,
  rounds,
  count,
}: Record<"seed" | "histories" | "rounds" | "count", number>) {
  describe.each(ENGINES)(`figures from seed ${seed} on %s`, (engine) => {
    const databases = useDatabases(engine);
    const random = new Random(seed);
    const comparison = new Comparison();
    const made: { readonly history: History; readonly key: string }[] = [];
    let service: DashboardService;
    let owner: Caller;

    beforeAll(async () => {
      // What the service deletes by itself would be another question.
      const configText = "retention: { hoursDays: 36500 }";
      service = await startDashboardService({ databaseUrl: databases.url, configText });
      const person = await signedIn(service);
      owner = person.caller;
      for (let at = 0; at < histories; at += 1) {
        const project = await service.dashboard.projects.create(`history ${at}`, person.userId);
        const history = makeHistory(random, { projectId: project?.id ?? "", nowMs: Date.now(), count });
        const { key } = await createKey(service.store, {
          name: `reader ${at}`,
          projectId: history.projectId,
          permissions: ["read:project"],
        });
        await write(service.store, random, history);
        made.push({ history, key });
      }
    });
    afterAll(async () => {
      await service.close();
      RUNS.push({ engine, histories: made.map(({ history }) => history), comparison });
    });

    async function askPages(history: History, hoursSinceMs: number): Promise<void> {
      const spans = Object.keys(SPANS) as (keyof typeof SPANS)[];
      const pick = <T>(values: readonly T[]) => random.pick(values);
      for (const path of Object.keys(PAGES) as (keyof typeof PAGES)[]) {
        const nowMs = Date.now();
        const time = random.next() < 0.6 ? spanOf(pick(spans), nowMs) : chosenTime(random, nowMs);
        const page = PAGES[path]({ history, hoursSinceMs, pick, ...time });
        if (page === undefined) continue;
        const input = { ...page.input, ...time.range, projectId: history.projectId };
        const { data, error } = await owner.query(path, input);
        expect([path, error]).toEqual([path, undefined]);
        // A step that began meanwhile is another question.
        if (floor(Date.now(), 2 * MINUTE) !== floor(nowMs, 2 * MINUTE)) continue;
        const asked = JSON.stringify({ ...page.input, ...time.range });
        comparison.compare(`${path}(${asked})`, page.output, data);
      }
    }

    async function askUsage({ history, key }: (typeof made)[number], hoursSinceMs: number): Promise<void> {
      const groupBy = random.pick(GROUPINGS);
      const { range, window } = chosenTime(random, Date.now());
      const query = new URLSearchParams({ from: range.from ?? "", to: range.to ?? "" });
      if (groupBy.length > 0) query.set("group_by", groupBy.join(","));
      const response = await fetch(`${service.url}/v1/usage?${query}`, { headers: { authorization: `Bearer ${key}` } });
      const { object: _, ...shown } = (await response.json()) as Readonly<Record<string, unknown>>;
      const time = { ...window, toMs: floor(Date.parse(range.to ?? "") + HOUR - 1, HOUR), hoursSinceMs };
      const expected = usage(history, groupBy, time);
      comparison.compare(`GET /v1/usage?${query}`, expected, shown);
      query.set("format", "csv");
      const csv = await fetch(`${service.url}/v1/usage?${query}`, { headers: { authorization: `Bearer ${key}` } });
      comparison.compare(`GET /v1/usage?${query}`, expected.data.map(toCells), readCsv(await csv.text()));
    }

    async function askRefusals({ history, key }: (typeof made)[number]): Promise<void> {
      const { window } = chosenTime(random, Date.now());
      const response = await fetch(`${service.url}/attune.usage.v1.UsageService/ListRefusals`, {
        method: "POST",
        body: JSON.stringify({ from: new Date(window.fromMs).toISOString() }),
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      });
      const { counts = [] } = (await response.json()) as { counts?: readonly { calls: string }[] };
      const asked = history.refused.filter(({ atMs }) => atMs >= window.fromMs);
      const expected = refusedByKey(asked).map(({ reason, keyId, calls }) => ({ reason, key: keyId, calls }));
      const shown = counts.map(({ calls, ...count }) => ({ ...count, calls: Number(calls) }));
      comparison.compare(`ListRefusals(since ${window.fromMs})`, expected, shown);
    }

    /** Downloads what people export. */
    async function download(name: string, input: object): Promise<string> {
      const path = `/dashboard/api/export/${name}?input=${encodeURIComponent(JSON.stringify(input))}`;
      const response = await fetch(`${service.url}${path}`, { headers: { cookie: owner.cookie ?? "" } });
      expect([path, response.status]).toEqual([path, 200]);
      return await response.text();
    }

    async function askExports({ history }: (typeof made)[number]): Promise<void> {
      const { projectId, calls } = history;
      const csv = await download("history", { projectId, filter: {}, format: "csv" });
      comparison.compare("history as CSV", requestsCsv(history), readCsv(csv));
      const text = await download("end-user", { projectId, endUserId: "ada" });
      const lines = text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Exported);
      const own = calls.filter(({ endUserId }) => endUserId === "ada");
      const figures = newestFirst(own).map((call) => ({
        id: call.id,
        costNanos: call.costNanos ?? null,
        promptTokens: promptTokens(call),
        outputTokens: call.outputTokens ?? null,
        usageEstimated: call.usageEstimated,
        entries: history.feedback.filter(({ inferenceId }) => inferenceId === call.id).length,
      }));
      const shown = lines.flatMap(({ inference }) => {
        if (inference === undefined) return [];
        const { id, costNanos, promptTokens: sent, outputTokens, usageEstimated } = inference.facts;
        const entries = inference.feedback.length;
        return [{ id, costNanos, promptTokens: sent, outputTokens, usageEstimated, entries }];
      });
      comparison.compare("calls of an end user's export", figures, shown);
      comparison.compare(
        "days of an end user's export",
        daysOf(own),
        lines.flatMap(({ usage: day }) => day ?? []),
      );
    }

    async function askAll(hoursSinceMs: number): Promise<void> {
      for (let round = 0; round < rounds; round += 1) {
        for (const one of made) {
          await askPages(one.history, hoursSinceMs);
          for (let at = 0; at < 5; at += 1) await askUsage(one, hoursSinceMs);
          await askRefusals(one);
        }
      }
    }

    it("are what the rows add up to", async () => {
      await askAll(0);
      expect(comparison.differences.slice(0, 60)).toEqual([]);
      expect(comparison.figures).toBeGreaterThan(1000);
    });

    it("are it in what people download too", async () => {
      for (const one of made) await askExports(one);
      expect(comparison.differences.slice(0, 60)).toEqual([]);
    });

    it("are it in the output of attune usage too, as JSON and CSV", async () => {
      const [{ history } = made[0] ?? expect.fail()] = made;
      const cli = createCliFolder();
      const range = { from: new Date(Date.now() - 40 * DAY).toISOString(), to: new Date().toISOString() };
      const groupBy = ["key", "model"] as const;
      const args = ["usage", "--project", history.projectId, "--from", range.from, "--to", range.to];
      const environment = { ATTUNE_DATABASE_URL: databases.url };
      const run = (form: "csv" | "json") =>
        cli.run([...args, "--group-by", groupBy.join(","), `--${form}`], environment);
      const [json, csv] = await Promise.all([run("json"), run("csv")]);
      await cli.remove();
      const time = { fromMs: Date.parse(range.from), toMs: Date.parse(range.to), hoursSinceMs: 0 };
      const expected = usage(history, groupBy, time);
      comparison.compare("attune usage", expected, JSON.parse(json.stdout));
      comparison.compare("attune usage --csv", expected.data, readCsv(csv.stdout));
      expect(comparison.differences.slice(0, 60)).toEqual([]);
    });

    it("are what the rows add up to where hours are no longer kept", async () => {
      const settings = { hoursDays: HOURS_DAYS, confirmAbovePercent: 100 };
      const maintenance = createMaintenance(service.store, settings, createLog("silent"));
      // The service may be at it.
      await expect.poll(() => maintenance.run()).toMatchObject({ held: [] });
      expect(await firstDayKept(service.store, "hours")).toBe(floor(Date.now(), DAY) / DAY - HOURS_DAYS);
      await askAll(floor(Date.now(), DAY) - HOURS_DAYS * DAY);
      expect(comparison.differences.slice(0, 60)).toEqual([]);
    });
  });
}

/** A line of the export of an end user. */
interface Exported {
  readonly inference?: { readonly facts: Readonly<Record<string, unknown>>; readonly feedback: readonly unknown[] };
  readonly usage?: Readonly<Record<string, unknown>>;
}

/** Returns the rows of a CSV by its heading. */
function readCsv(csv: string): Readonly<Record<string, unknown>>[] {
  const [heading = [], ...rows] = parseCsv(csv);
  return rows.map((cells) => Object.fromEntries(cells.map((cell, at) => [heading[at], toValue(cell)])));
}

function parseCsv(csv: string): string[][] {
  const lines = csv.replaceAll("\r\n", "\n").trimEnd().split("\n");
  return lines.map((line) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain = ""]) =>
      quoted === undefined ? plain : quoted.replaceAll('""', '"'),
    ),
  );
}

/** A cell without a text is empty. */
function toCells(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === "" ? null : value]));
}

function toValue(cell: string): string | number | null {
  if (cell === "") return null;
  return Number.isNaN(Number(cell)) ? cell : Number(cell);
}
