import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
import { idAt } from "../support/rows.ts";
import { createCliFolder } from "../support/run-cli.ts";
import { shadowRecord } from "../support/shadow-record.ts";
import { Comparison } from "./oracle/compare.ts";
import { type History, makeHistory, Random, timeBefore } from "./oracle/history.ts";
import { DAY, floor, HOUR, MINUTE, WEEK } from "./oracle/naive.ts";
import { type Asked, BUDGET_OWNERS, BUDGETS, PAGES } from "./oracle/pages.ts";
import { GROUPINGS, usage } from "./oracle/usage.ts";

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
  { projectId, calls, feedback, refused, trials }: History,
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
  await writeRefusals(store, { counts: refused.map((one) => ({ ...one, projectId })), samples: [] });
  const first = random.below(2 ** 31);
  const rows = trials.map(({ atMs, ...trial }, at) => ({
    ...shadowRecord({ ...trial, projectId, startedAt: new Date(atMs) }),
    ...{ id: idAt(new Date(atMs).toISOString(), first + at), inferenceId: calls[0]?.id ?? "" },
  }));
  await store.query().insertInto("ShadowTrial").values(rows).execute();
  for (const owner of BUDGET_OWNERS) await writeQuota(store, { owner: { ...owner, projectId }, change: BUDGETS });
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
      service = await startDashboardService({ databaseUrl: databases.url });
      const person = await signedIn(service);
      owner = person.caller;
      for (let at = 0; at < histories; at += 1) {
        const project = await service.dashboard.projects.create(`history ${at}`, person.userId);
        const history = makeHistory(random, { projectId: project?.id ?? "", nowMs: Date.now(), count });
        const { key } = await createKey(service.store, {
          ...{ name: `reader ${at}`, projectId: history.projectId, permissions: ["read:project"] },
        });
        await write(service.store, random, history);
        made.push({ history, key });
      }
    });
    afterAll(() => service.close());

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
      comparison.compare(`GET /v1/usage?${query}`, usage(history, groupBy, time), shown);
    }

    async function askAll(hoursSinceMs: number): Promise<void> {
      for (let round = 0; round < rounds; round += 1) {
        for (const one of made) {
          await askPages(one.history, hoursSinceMs);
          for (let at = 0; at < 5; at += 1) await askUsage(one, hoursSinceMs);
        }
      }
    }

    it("are what the rows add up to", async () => {
      await askAll(0);
      expect(comparison.differences.slice(0, 60)).toEqual([]);
      expect(comparison.figures).toBeGreaterThan(1000);
    });

    it("are it in the output of attune usage too, as JSON and CSV", async () => {
      const [{ history } = made[0] ?? expect.fail()] = made;
      const cli = createCliFolder();
      const range = { from: new Date(Date.now() - 40 * DAY).toISOString(), to: new Date().toISOString() };
      const groupBy = ["key", "model"] as const;
      const args = ["usage", "--project", history.projectId, "--from", range.from, "--to", range.to];
      const environment = { ATTUNE_DATABASE_URL: databases.url };
      const run = (format: string) =>
        cli.run([...args, "--group-by", groupBy.join(","), "--format", format], environment);
      const [json, csv] = await Promise.all([run("json"), run("csv")]);
      await cli.remove();
      const time = { fromMs: Date.parse(range.from), toMs: Date.parse(range.to), hoursSinceMs: 0 };
      const expected = usage(history, groupBy, time);
      comparison.compare("attune usage", expected, JSON.parse(json.stdout));
      const [heading = "", ...lines] = csv.stdout.trimEnd().split(/\r?\n/);
      const rows = lines.map((line) =>
        Object.fromEntries(line.split(",").map((cell, at) => [heading.split(",")[at], toValue(cell)])),
      );
      comparison.compare("attune usage --format csv", expected.data, rows);
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

function toValue(cell: string): string | number | null {
  if (cell === "") return null;
  return Number.isNaN(Number(cell)) ? cell : Number(cell);
}
