import { TRPCError } from "@trpc/server";
import { z } from "zod";
import type { Measure } from "../../figures/measures.ts";
import { CONTROL_FIELDS, CONTROL_NAMES, type ControlSettings } from "../../hub/control-fields.ts";
import { checkCount, type MetricSettings, mergeOverrides, metricProblem } from "../../hub/metric-overrides.ts";
import { stepStart } from "../../store/dashboard/figures/steps.ts";
import type { WorkloadControls } from "../../store/dashboard/learned.ts";
import type { LearnedDetails } from "../../store/dashboard/reads/read-learned.ts";
import type { DashboardReads } from "../../store/dashboard/reads/reads.ts";
import type { Measured, MeasuresQuery } from "../../store/read/queries/read-measures.ts";
import type { DashboardContext } from "../access/context.ts";
import { controlsInput, type metricInput } from "../access/controls-input.ts";
import { comparedText, id } from "../access/fields.ts";
import { projectProcedure, router } from "../access/procedures.ts";
import { planRollups } from "../feedback/rollup-window.ts";
import { listBuckets, rangeInput } from "../figures/window.ts";
import { readCourse } from "../learning/course.ts";
import { readModelFeedback } from "../learning/model-feedback.ts";
import { standingOf } from "../learning/state-of.ts";
import { viewFamily, viewFigures } from "../learning/view-figures.ts";

/** Names are bounded where they come in; a longer one is none. */
const name = comparedText(1000);

const yesOrNo = z.boolean("must be true or false");
/** The learning of a project's workloads; a workload is the calls of one model, which is its base. */
export const learningRouter = router({
  /** Every workload that was called in a time, that something was learned of, or that something is said of. */
  list: projectProcedure.input(rangeInput).query(async ({ ctx, input }) => {
    const { projectId } = input;
    const { reads } = ctx.store;
    const { range, fromMs, toMs } = planRollups(input, Date.now());
    const [usage, said, learned, controls] = await Promise.all([
      readCalls(reads, { projectId, range, bucket: "none" }),
      readModelFeedback(reads, { projectId, range }),
      reads.readLearnedWorkloads(projectId),
      ctx.store.learned.controls(projectId, ctx.learning.defaults),
    ]);
    const called = usage.map(({ group }) => group[0] ?? "");
    const models = [...new Set([...called, ...learned.map(({ model }) => model), ...controls.models])];
    const workloads = models.map((model) => {
      const known = learned.find((one) => one.model === model);
      const isServed = ctx.learning.models.includes(model);
      const { resolved } = controls.of(model);
      return {
        model,
        isServed,
        entries: said.get(model)?.entries ?? 0,
        ...sumUsage(usage.filter(({ group }) => group[0] === model)),
        mode: resolved.mode,
        pinned: resolved.hold?.kind === "pinned" ? resolved.hold.model : null,
        standing: standingOf(resolved, known, isServed),
        learned: known?.figures == null ? null : viewFigures(known.figures),
      };
    });
    return {
      fromMs,
      toMs,
      models: ctx.learning.models,
      metrics: [...new Set([...said.values()].flatMap(({ metrics }) => metrics))],
      project: { ...controls.ofProject, configured: ctx.learning.defaults },
      workloads: workloads.sort((a, b) => b.calls - a.calls || (a.model < b.model ? -1 : 1)),
    };
  }),

  /** Returns the observed workloads of which it is known that the mode `on` would pay, with its effect. */
  outlooks: projectProcedure.query(async ({ ctx, input: { projectId } }) => {
    const controls = await ctx.store.learned.controls(projectId, ctx.learning.defaults);
    const observed = ctx.learning.models.flatMap((model) => {
      if (ctx.learning.isMadeUp(model)) return [];
      const { mode, excluded } = controls.of(model).resolved;
      return mode === "observe" ? [{ model, excluded }] : [];
    });
    return observed.length === 0 ? [] : await ctx.store.reads.readOutlooks(projectId, observed);
  }),

  /** One workload: what is known of its models, what it cost, and what holds for it. */
  read: projectProcedure.input(rangeInput.and(z.object({ model: name }))).query(async ({ ctx, input }) => {
    const { projectId, model } = input;
    const { reads } = ctx.store;
    const nowMs = Date.now();
    const window = planRollups(input, nowMs);
    const { range, bucket, fromMs, toMs, stepMs } = window;
    const key = { projectId, model };
    const controls = await ctx.store.learned.controls(projectId, ctx.learning.defaults);
    const { own, resolved } = controls.of(model);
    const [steps, said, learned, shadow] = await Promise.all([
      readCalls(reads, { projectId, range, bucket, filter: { model } }),
      readModelFeedback(reads, { projectId, range }),
      reads.readLearnedWorkload(key, resolved.excluded),
      reads.readShadowUsage({ ...key, from: new Date(fromMs), to: new Date(toMs) }),
    ]);
    const course = await readCourse(
      {
        read: (step, span) => reads.readWorkloadPoints({ key, step, ...span }),
        current: learned?.figures ?? undefined,
        nowMs,
      },
      { fromMs, toMs },
    );
    const isServed = ctx.learning.models.includes(model);
    const isKnown = isServed || learned !== undefined || controls.models.includes(model) || steps.length > 0;
    if (!isKnown || model === "") throw new TRPCError({ code: "NOT_FOUND", message: "there is no such workload" });
    const buckets = listBuckets(window);
    const bySteps = Map.groupBy(steps, ({ start }) => stepStart(start?.getTime() ?? 0, stepMs));
    return {
      model,
      isServed,
      models: ctx.learning.models,
      others: ctx.learning.alternativesOf(model).filter((name) => name !== model),
      isMadeUp: ctx.learning.isMadeUp(model),
      entries: said.get(model)?.entries ?? 0,
      metrics: said.get(model)?.metrics ?? [],
      standing: standingOf(resolved, learned, isServed),
      own,
      ofProject: controls.ofProject,
      configured: ctx.learning.defaults,
      holds: { ...resolved, hold: resolved.hold ?? null },
      learned: learned === undefined ? null : viewLearned(learned),
      exploring: exploresOnUsers(resolved) ? (learned?.exploring ?? null) : null,
      shadow: shadow ?? null,
      usage: {
        fromMs,
        toMs,
        stepMs,
        buckets,
        total: sumUsage(steps),
        steps: buckets.map(({ startMs }) => sumUsage(bySteps.get(startMs) ?? [])),
      },
      course,
    };
  }),

  /** Returns the events of a workload and of its whole project, newest first. */
  history: projectProcedure
    .input(z.object({ model: name }))
    .query(({ ctx, input: { projectId, model } }) => ctx.store.reads.readEvents({ projectId, model })),

  /** Says what may be changed by what is learned; what is not named stays as it is. */
  setControls: projectProcedure
    .input(controlsInput)
    .mutation(async ({ ctx, input: { projectId, model, ...given } }) => {
      if (model !== "") checkServed(ctx, "model", model);
      checkHold(ctx, given);
      for (const setting of CONTROL_NAMES) {
        const { kind } = CONTROL_FIELDS[setting];
        const models = kind === "model" || kind === "models" ? [given[setting] ?? []].flat() : [];
        for (const each of models) if (setting !== "pinned") checkServed(ctx, setting, String(each));
      }
      const metrics = (given.metrics ?? []).map(toMetric);
      checkMetrics(metrics);
      await ctx.store.learned.setControls(
        { projectId, model },
        (before) => ({ ...toChanges(given), ...(metrics.length > 0 && changeMetrics(before, metrics)) }),
        ctx.user.email,
      );
      await ctx.learning.refresh();
    }),

  /**
   * Returns a pair of answers that nobody has judged yet, without the models that gave them; null where none is left.
   */
  pair: projectProcedure
    .input(z.object({ model: name, beforeId: id.optional() }))
    .query(
      async ({ ctx, input: { projectId, model, beforeId } }) =>
        (await ctx.store.reads.readPair({ projectId, model }, beforeId)) ?? null,
    ),

  /** Says which answers of a pair would satisfy the person who asked. */
  judgePair: projectProcedure
    .input(z.object({ pairId: id, first: yesOrNo, second: yesOrNo }))
    .mutation(async ({ ctx, input: { projectId, pairId, ...verdict } }) => {
      const { userId, email } = ctx.user;
      const { keyId } = await ctx.store.playground.keyOf({ projectId, userId, email });
      const judged = await ctx.store.learned.judgePair({ projectId, id: pairId, keyId, verdict });
      if (judged !== undefined) return judged;
      throw new TRPCError({ code: "NOT_FOUND", message: "there is no such pair, or somebody has judged it already" });
    }),

  /** Forgets what was learned of a workload, which begins anew. */
  reset: projectProcedure.input(z.object({ model: name })).mutation(async ({ ctx, input: { projectId, model } }) => {
    const wasKnown = await ctx.store.learned.reset({ projectId, model }, ctx.user.email);
    if (!wasKnown) throw new TRPCError({ code: "NOT_FOUND", message: "nothing was learned of this workload" });
    await ctx.learning.refresh();
  }),
});

type SettingsInput = Omit<z.output<typeof controlsInput>, "model">;

/** Returns the settings that were sent, and only those; a hold carries the model that it is pinned to. */
function toChanges({ hold, pinned = null, metrics: _, ...given }: SettingsInput): Partial<ControlSettings> {
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...(hold !== undefined && { hold, pinned }),
  };
}

function toMetric({ name, ...said }: z.output<typeof metricInput>): MetricSettings {
  return { name, ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) };
}

function checkMetrics(metrics: readonly MetricSettings[]): void {
  const names = new Set<string>();
  for (const said of metrics) {
    const problem = names.has(said.name) ? "is said twice" : metricProblem(said);
    names.add(said.name);
    if (problem === undefined) continue;
    throw new TRPCError({ code: "BAD_REQUEST", message: `metrics.${said.name.slice(0, 100)}: ${problem}` });
  }
}

function changeMetrics(before: ControlSettings, said: readonly MetricSettings[]): Pick<ControlSettings, "metrics"> {
  const metrics = mergeOverrides(before.metrics, said);
  const problem = checkCount(metrics);
  if (problem !== undefined) throw new TRPCError({ code: "BAD_REQUEST", message: `metrics: ${problem}` });
  return { metrics };
}

function checkServed({ learning }: DashboardContext, field: string, model: string): void {
  if (learning.models.includes(model)) return;
  throw new TRPCError({ code: "BAD_REQUEST", message: `${field}: there is no model '${model.slice(0, 100)}'` });
}

/** A model is named where one is pinned, and only there. */
function checkHold(ctx: DashboardContext, { hold, pinned }: SettingsInput): void {
  if (hold === "pinned" && pinned == null) {
    throw new TRPCError({ code: "BAD_REQUEST", message: "pinned: is needed with the hold pinned" });
  }
  if (pinned == null) return;
  if (hold !== "pinned")
    throw new TRPCError({ code: "BAD_REQUEST", message: "pinned: goes only with the hold pinned" });
  checkServed(ctx, "pinned", pinned);
}

/** Tells whether what explores gets to users: not where base answers all, one model is held, or trials explore alone. */
function exploresOnUsers({ mode, hold, explore = "users" }: WorkloadControls): boolean {
  return mode === "on" && hold === undefined && explore === "users";
}

function viewLearned(learned: LearnedDetails) {
  const { figures, families, model: _, exploring: __, ...facts } = learned;
  return { ...facts, figures: figures && viewFigures(figures), families: families.map(viewFamily) };
}

const MEASURES = ["calls", "routed.calls", "priced.calls", "cost", "baseCost"] as const;
type Calls = Measured<(typeof MEASURES)[number]>;

/** Reads the calls of workloads: of the models that they asked for. */
async function readCalls(
  reads: DashboardReads,
  query: Pick<MeasuresQuery<Measure>, "projectId" | "range" | "bucket" | "filter">,
): Promise<Calls[]> {
  return await reads.readMeasures({ ...query, by: ["model"], measures: MEASURES });
}

/** Adds calls up; costs are null where none is known. */
function sumUsage(rows: readonly Calls[]) {
  const sum = (name: (typeof MEASURES)[number]) => rows.reduce((total, { values }) => total + values[name], 0);
  const isPriced = sum("priced.calls") > 0;
  return {
    calls: sum("calls"),
    routedCalls: sum("routed.calls"),
    costNanos: isPriced ? sum("cost") : null,
    baseCostNanos: isPriced ? sum("baseCost") : null,
  };
}
