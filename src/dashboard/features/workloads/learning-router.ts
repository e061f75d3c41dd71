import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { PairVerdict } from "../../../../gen/attune/admin/v1/admin_pb.ts";
import { settingsToMessage } from "../../../learning/control-message.ts";
import type { CallStep } from "../../../store/dashboard/figures/read-call-steps.ts";
import { HOUR_MS } from "../../../store/dashboard/figures/steps.ts";
import type { WorkloadControls } from "../../../store/dashboard/learned.ts";
import type { LearnedDetails } from "../../../store/dashboard/reads/read-learned.ts";
import {
  CONTROL_FIELDS,
  CONTROL_NAMES,
  type ControlSettings,
  controlMaskPath,
} from "../../../vocabulary/control-fields.ts";
import type { MetricSettings } from "../../../vocabulary/metric-overrides.ts";
import { comparedText, id } from "../../access/fields.ts";
import { atFields, camelCase } from "../../access/operation-errors.ts";
import { operationProcedure, projectProcedure, router } from "../../access/procedures.ts";
import { listBuckets, planWindow, rangeInput } from "../../figures/window.ts";
import { controlsInput, type metricInput } from "./controls-input.ts";
import { type CourseSource, readCourse } from "./course.ts";
import { readModelFeedback } from "./model-feedback.ts";
import { getStanding } from "./standing.ts";
import { viewFamily, viewFigures } from "./view-figures.ts";

/** Names are bounded where they come in; a longer one is none. */
const name = comparedText(1000);

/** A text that an operation checks. */
const text = z.string("must be a text");

const yesOrNo = z.boolean("must be true or false");

/** Settings by their places in the operation. */
const CONTROLS = Object.fromEntries(
  CONTROL_NAMES.map((name) => [`controls.${camelCase(CONTROL_FIELDS[name].path)}`, name] as const),
);

/** Verdicts by whether the first and the second answer would satisfy. */
const VERDICTS = {
  "true-false": PairVerdict.FIRST,
  "false-true": PairVerdict.SECOND,
  "true-true": PairVerdict.BOTH,
  "false-false": PairVerdict.NEITHER,
} as const;

/** The learning of a project's workloads; a workload is the calls of one model, which is its base. */
export const learningRouter = router({
  /** Every workload that was called in a time, that something was learned of, or that something is said of. */
  list: projectProcedure.input(rangeInput).query(async ({ ctx, input }) => {
    const { projectId } = input;
    const { reads } = ctx.store;
    const window = planWindow(input, Date.now());
    const { toMs } = window;
    const [{ fromMs, groups: usage }, modelFeedback, learned, controls] = await Promise.all([
      reads.readCallSteps({ projectId, by: ["model"], ...window }),
      readModelFeedback(reads, { projectId, ...window }),
      reads.readLearnedWorkloads(projectId),
      ctx.store.learned.controls(projectId, ctx.learning.defaults),
    ]);
    const called = new Set(usage.map(({ group }) => group[0] ?? ""));
    const models = [...new Set([...called, ...learned.map(({ model }) => model), ...controls.models])];
    const workloads = models.map((model) => {
      const known = learned.find((one) => one.model === model);
      const isServed = ctx.learning.models.includes(model);
      const { resolved } = controls.of(model);
      return {
        model,
        isServed,
        entries: modelFeedback.get(model)?.entries ?? 0,
        ...sumUsage(usage.filter(({ group }) => group[0] === model)),
        mode: resolved.mode,
        pinned: resolved.hold?.kind === "pinned" ? resolved.hold.model : null,
        standing: getStanding(resolved, known, isServed),
        learned: known?.figures == null ? null : viewFigures(known.figures),
      };
    });
    return {
      fromMs,
      toMs,
      models: ctx.learning.models,
      metrics: [...new Set([...modelFeedback.values()].flatMap(({ metrics }) => metrics))],
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
    const window = planWindow(input, nowMs);
    const { toMs } = window;
    const key = { projectId, model };
    const controls = await ctx.store.learned.controls(projectId, ctx.learning.defaults);
    const { own, resolved } = controls.of(model);
    const [{ fromMs, stepMs, groups: steps }, modelFeedback, learned] = await Promise.all([
      reads.readCallSteps({ ...key, by: ["model"], ...window }),
      readModelFeedback(reads, { projectId, ...window }),
      reads.readLearnedWorkload(key, resolved.excluded),
    ]);
    const source: CourseSource = {
      read: (step, span) => reads.readWorkloadPoints({ key, step, ...span }),
      current: learned?.figures ?? undefined,
      nowMs,
    };
    const [shadow, course] = await Promise.all([
      reads.readShadowUsage({ ...key, from: new Date(fromMs), to: new Date(toMs), isExact: stepMs < HOUR_MS }),
      readCourse(source, { fromMs, toMs }),
    ]);
    const isServed = ctx.learning.models.includes(model);
    const isKnown = isServed || learned !== undefined || controls.models.includes(model) || steps.length > 0;
    if (!isKnown || model === "") throw new TRPCError({ code: "NOT_FOUND", message: "there is no such workload" });
    const buckets = listBuckets({ fromMs, toMs, stepMs });
    const bySteps = Map.groupBy(steps, ({ startMs }) => startMs);
    return {
      model,
      isServed,
      models: ctx.learning.models,
      others: ctx.learning.alternativesOf(model).filter((name) => name !== model),
      isMadeUp: ctx.learning.isMadeUp(model),
      entries: modelFeedback.get(model)?.entries ?? 0,
      metrics: modelFeedback.get(model)?.metrics ?? [],
      standing: getStanding(resolved, learned, isServed),
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
  setControls: operationProcedure("updateControls")
    .input(controlsInput)
    .mutation(async ({ ctx, input: { projectId, model, ...given } }) => {
      const changes = toChanges(given);
      const paths = [...new Set(CONTROL_NAMES.filter((name) => name in changes).map(controlMaskPath))];
      const request = {
        project: projectId,
        target:
          model === "" ? ({ case: "allWorkloads", value: true } as const) : ({ case: "model", value: model } as const),
        controls: settingsToMessage(changes, (name) => name),
        updateMask: { paths },
        // Metrics that are not named keep what somebody else says at the same time.
        mergeMetrics: true,
      };
      if (paths.length > 0) await atFields(ctx.operation(request), CONTROLS);
      await ctx.learning.refresh();
    }),

  /**
   * Returns the pair of answers that a verdict is worth the most of, without the models that gave them; null where
   * none is left.
   */
  pair: projectProcedure
    .input(z.object({ model: name, skippedIds: z.array(id).max(200) }))
    .query(
      async ({ ctx, input: { projectId, model, skippedIds } }) =>
        (await ctx.store.reads.readPair({ projectId, model }, { skippedIds })) ?? null,
    ),

  /** Says which answers of a pair would satisfy the person who asked. */
  judgePair: operationProcedure("judgePair")
    .input(z.object({ pairId: text, first: yesOrNo, second: yesOrNo }))
    .mutation(async ({ ctx, input: { projectId: project, pairId, first, second } }) => {
      const verdict = VERDICTS[`${first}-${second}`];
      const { inferenceId, firstModel, secondModel, servedModel } = await ctx.operation({
        project,
        pairId,
        verdict,
      });
      const [one = "", other = "", served = ""] = [firstModel, secondModel, servedModel].map(
        (id) => ctx.modelOf(id) ?? id,
      );
      return { inferenceId, models: [one, other] as const, servedModel: served };
    }),

  /** Forgets what was learned of a workload, which begins anew. */
  reset: operationProcedure("resetWorkload")
    .input(z.object({ model: text }))
    .mutation(async ({ ctx, input: { projectId: project, model } }) => {
      await ctx.operation({ project, model });
      await ctx.learning.refresh();
    }),
});

type SettingsInput = Omit<z.output<typeof controlsInput>, "model">;

/** Returns the settings that were sent, and only those; a hold carries the model that it is pinned to. */
function toChanges({ hold, pinned = null, metrics = [], ...given }: SettingsInput): Partial<ControlSettings> {
  return {
    ...(metrics.length > 0 && { metrics: metrics.map(toMetric) }),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...(hold !== undefined ? { hold, pinned } : pinned !== null && { pinned }),
  };
}

function toMetric({ name, ...settings }: z.output<typeof metricInput>): MetricSettings {
  return { name, ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) };
}

/**
 * Tells whether what explores gets to users: not where base answers all, one model is held, or trials explore alone.
 */
function exploresOnUsers({ mode, hold, explore = "users" }: WorkloadControls): boolean {
  return mode === "on" && hold === undefined && explore === "users";
}

function viewLearned(learned: LearnedDetails) {
  const { figures, families, model: _, exploring: __, ...facts } = learned;
  return { ...facts, figures: figures && viewFigures(figures), families: families.map(viewFamily) };
}

/** Adds calls up; costs are null where none is known. */
function sumUsage(rows: readonly CallStep[]) {
  const sum = (name: keyof CallStep["values"]) => rows.reduce((total, { values }) => total + values[name], 0);
  const isPriced = sum("priced.calls") > 0;
  return {
    calls: sum("calls"),
    routedCalls: sum("routed.calls"),
    costNanos: isPriced ? sum("cost") : null,
    baseCostNanos: isPriced ? sum("baseCost") : null,
  };
}
