import { z } from "zod";
import type { Values } from "../../../figures/measures.ts";
import type { UsageFigures, UsageReport } from "../../../figures/usage.ts";
import { MOST_QUOTAS_OF_PROJECT } from "../../../quotas/quota.ts";
import { BUDGET_RULES, type BudgetRule } from "../../../quotas/quota-fields.ts";
import { mergeDefaults } from "../../../quotas/quota-index.ts";
import type { DashboardReads } from "../../../store/dashboard/reads/reads.ts";
import type { TimeRange } from "../../../store/read/queries/range.ts";
import { wholeDays } from "../../../store/read/queries/read-measures.ts";
import { projectProcedure, router } from "../../access/procedures.ts";
import { rangeInput } from "../../figures/window.ts";
import { budgetTimes, forecastBudget } from "./forecast.ts";
import { planSpans } from "./plan-spans.ts";

const DIMENSIONS = ["key", "model", "workload", "session", "end_user", "tag"] as const;
const by = z.enum(DIMENSIONS, { error: `must be one of ${DIMENSIONS.join(", ")}` });

const MOST_RANKED = 100;
const MOST_BUDGETS = 200;

/** Names of owners that a read is limited to; of more, all are read. */
const MOST_FILTERED = 1000;

type BudgetKind = "project" | "key" | "endUser" | "tag";

/** A budget before it is known what was spent of it. */
interface Budget {
  readonly kind: BudgetKind;
  readonly name: string;
  readonly rule: BudgetRule;
  readonly limit: number;
}

/** The page of spending: who spends how much, and what is left of budgets. */
export const spendRouter = router({
  /** Calls of a time by what they cost, beside the period before; the dearest first. */
  ranking: projectProcedure.input(rangeInput.and(z.object({ by }))).query(async ({ ctx, input }) => {
    const { range, compared } = planSpans(input, Date.now());
    const read = (span: TimeRange) =>
      ctx.store.reads.readSpend({ projectId: input.projectId, groupBy: [input.by], ...span });
    const reading = read(range);
    const hasEnded = compared?.now.to.getTime() === range.to.getTime();
    const [now, ended, before, [counted]] = await Promise.all([
      reading,
      hasEnded ? reading : compared && read(compared.now),
      compared && read(compared.before),
      ctx.store.reads.readMeasures({ projectId: input.projectId, range, bucket: "none", by: [], measures: UNPRICED }),
    ]);
    return {
      fromMs: range.from.getTime(),
      toMs: Math.min(range.to.getTime(), Date.now()),
      rows: rankSpend(now, { ended, before }, MOST_RANKED),
      rowCount: now.groups.length,
      total: {
        calls: now.total.calls,
        tokens: sumTokens(now.total),
        costNanos: now.total["priced.calls"] === 0 ? null : now.total.cost,
      },
      unpricedCalls: counted === undefined ? 0 : countUnpriced(counted.values),
      /** Without the hour or day that is still running, beside the period before. */
      compared: { now: readTotal(ended), before: readTotal(before) },
      shadowNanos: now.shadow?.costNanos ?? null,
      /** True if there are too many calls to tell them apart by session. */
      isTooLong: now.isTooLong ?? false,
    };
  }),

  /** Budgets in USD of the project and of owners with limits of their own, with what is left of each. */
  budgets: projectProcedure.query(async ({ ctx, input: { projectId } }) => {
    // All of them: which budgets are scarce is known once what was spent of each is.
    const quotas = await ctx.store.quotas.list(projectId, { limit: MOST_QUOTAS_OF_PROJECT });
    const { eachProject } = mergeDefaults(await ctx.store.quotas.general(), ctx.quotas.defaults);
    const own = quotas.find(({ owner: { kind } }) => kind === "project")?.settings;
    const owners = quotas.flatMap(({ owner: { kind, name }, settings }) =>
      kind === "installation" || kind === "project" || name === "" ? [] : [{ kind, name, settings }],
    );
    const all = [{ kind: "project" as const, name: "", settings: { ...eachProject, ...own } }, ...owners];
    const budgets = all.flatMap(({ settings, ...owner }) =>
      BUDGET_RULES.flatMap((rule): Budget[] => {
        const limit = settings[rule];
        return limit === undefined ? [] : [{ ...owner, rule, limit }];
      }),
    );
    const nowMs = Date.now();
    const groups = Map.groupBy(budgets, ({ kind, rule }) => `${kind} ${rule}`);
    const read = await Promise.all(
      [...groups.values()].map(async (group) => {
        const [{ kind, rule } = { kind: "project" as const, rule: "costNanosTotal" as const }] = group;
        const times = budgetTimes(rule, nowMs);
        const query = { projectId, kind, names: group.map(({ name }) => name) };
        const [spent, pace] = await Promise.all([
          readSpent(ctx.store.reads, { ...query, range: times.spent }),
          readSpent(ctx.store.reads, { ...query, range: times.pace }),
        ]);
        return group.map((budget) => {
          const used = { spent: spent.get(budget.name) ?? 0, ofPace: pace.get(budget.name) ?? 0 };
          return { ...budget, spent: used.spent, ...forecastBudget(rule, { ...budget, ...used }, nowMs) };
        });
      }),
    );
    const sorted = read.flat().sort((a, b) => shareLeft(a) - shareLeft(b));
    return { budgets: sorted.slice(0, MOST_BUDGETS), budgetCount: sorted.length };
  }),
});

/** A budget of nothing has nothing left. */
function shareLeft({ leftNanos, limit }: { readonly leftNanos: number; readonly limit: number }): number {
  return limit === 0 ? 0 : leftNanos / limit;
}

const UNPRICED = ["calls", "failed.calls", "priced.calls", "failed.priced.calls"] as const;

/** Returns how many calls that did not fail have no price: of what failed, nobody expects one. */
function countUnpriced(calls: Values<(typeof UNPRICED)[number]>): number {
  const unpriced = calls.calls - calls["priced.calls"];
  return unpriced - (calls["failed.calls"] - calls["failed.priced.calls"]);
}

/** The dimension of each owner; the project is all calls. */
const OWNERS = { project: undefined, key: "key", endUser: "end_user", tag: "tag" } as const;

/** Reads what owners of budgets have spent in whole days, in nano-USD by their names; the project's name is empty. */
async function readSpent(
  reads: DashboardReads,
  query: { readonly projectId: string; kind: BudgetKind; names: readonly string[]; range: TimeRange },
): Promise<ReadonlyMap<string, number>> {
  const { projectId, kind, names, range } = query;
  const by = OWNERS[kind];
  const rows = await reads.readMeasures({
    projectId,
    range: wholeDays(range),
    bucket: "none",
    measures: ["cost"],
    ...(by === undefined
      ? { by: [] }
      : { by: [by], ...(names.length <= MOST_FILTERED && { filter: { [by]: names } }) }),
  });
  const spent = new Map(rows.map(({ group: [name = ""], values }) => [name, values.cost]));
  if (by === "end_user" || by === "tag") {
    const unnamed = await reads.readUnnamedCosts({ projectId, kind: by, names, range: wholeDays(range) });
    for (const { name, costNanos } of unnamed) spent.set(name, (spent.get(name) ?? 0) + costNanos);
  }
  return spent;
}

/** The calls of one key, model, session or the like, beside those of the period before. */
interface SpendRow {
  readonly value: string;
  readonly calls: number;
  readonly tokens: number;
  readonly costNanos: number;
  /** False where the price of none of them is known: what they cost is unknown then, and not nothing. */
  readonly isPriced: boolean;
  /** Its part of all that was spent, 0 to 1. */
  readonly share: number;
  /** Cost of the calls that are compared with the period before, and of those before. */
  readonly endedNanos: number;
  readonly beforeNanos: number;
}

/** Ranks the groups of a report by what they cost, and the further ones by their calls. */
function rankSpend(
  now: UsageReport,
  { ended, before }: Record<"ended" | "before", UsageReport | undefined>,
  most: number,
): SpendRow[] {
  const [endedCosts, earlierCosts] = [costsByValue(ended), costsByValue(before)];
  const rows = now.groups.map(({ values: [value = ""], figures }) => ({
    value,
    calls: figures.calls,
    tokens: sumTokens(figures),
    costNanos: figures.cost,
    isPriced: figures["priced.calls"] > 0,
    share: now.total.cost === 0 ? 0 : figures.cost / now.total.cost,
    endedNanos: endedCosts.get(value) ?? 0,
    beforeNanos: earlierCosts.get(value) ?? 0,
  }));
  return rows.sort((a, b) => b.costNanos - a.costNanos || b.calls - a.calls).slice(0, most);
}

function costsByValue(report: UsageReport | undefined): ReadonlyMap<string, number> {
  return new Map(report?.groups.map(({ values: [value = ""], figures }) => [value, figures.cost]));
}

function readTotal(report: UsageReport | undefined): { readonly calls: number; readonly costNanos: number } {
  const { calls, cost } = report?.total ?? { calls: 0, cost: 0 };
  return { calls, costNanos: cost };
}

/** Returns all tokens of calls: sent, read from a cache, written into one, and answered. */
function sumTokens(figures: UsageFigures): number {
  return figures.inputTokens + figures.cacheReadTokens + figures.cacheWriteTokens + figures.outputTokens;
}
