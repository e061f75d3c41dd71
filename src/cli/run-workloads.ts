import type { Config } from "../config/config.ts";
import { describeFinding, pickFinding } from "../hub/finding.ts";
import { describeJudge } from "../hub/judge-figures.ts";
import { describeMetric } from "../hub/metric-overrides.ts";
import { writeUsd } from "../hub/money.ts";
import { describeEarned, describeOutlook, type Outlook } from "../hub/outlook.ts";
import { describeShadow } from "../hub/usage.ts";
import { mayDeviate } from "../learning/bandit/budget-usage.ts";
import { learnedAdvantages } from "../learning/bandit/learn.ts";
import { OBJECTIVES } from "../learning/bandit/settings.ts";
import { restoreSnapshot, SnapshotError } from "../learning/bandit/snapshot.ts";
import { type ControlSettings, ControlTable } from "../learning/controls.ts";
import { findingsOf } from "../learning/learner/finding.ts";
import { judgeFigures } from "../learning/learner/judge-figures.ts";
import { Latencies, type LatencyKind } from "../learning/learner/latency-metrics.ts";
import { effectOf, outlookOf } from "../learning/learner/outlook.ts";
import { selectionFigures } from "../learning/learner/selection.ts";
import type { MemorySnapshot } from "../learning/learner/workload-model.ts";
import type { WorkloadControls, WorkloadKey } from "../learning/workload.ts";
import { readControls, setControls } from "../store/learning/control-store.ts";
import { lastDays, readSpent } from "../store/learning/read-spent.ts";
import { resetWorkload } from "../store/learning/reset-workload.ts";
import { listWorkloads, readWorkload, readWorkloadHistory } from "../store/learning/workload-reads.ts";
import type { Store } from "../store/types/store.ts";
import { readShadowUsage } from "../store/usage/read-shadow-usage.ts";
import { describeDetail } from "./describe-detail.ts";
import { findProject } from "./find-project.ts";
import { fail, print, printTable } from "./output.ts";
import { listRemoteWorkloads, resetRemoteWorkload, setRemoteControls } from "./remote-controls.ts";
import { openConfiguredStore, readConfig } from "./with-config.ts";
import type { ModeArgument, WorkloadOptions } from "./workload-options.ts";

const SHOWN_EVENTS = 20;
const SHADOW_DAYS = 30;

/** The subject of a command, and its ports. */
interface Context {
  readonly config: Config;
  readonly store: Store;
  /** Its model is empty where all of the project is meant. */
  readonly key: WorkloadKey;
  readonly project: string;
}

/** Opens what a command works with, and tells it whom it is about. */
export async function withWorkload(options: WorkloadOptions, work: (context: Context) => Promise<void>): Promise<void> {
  const config = readConfig();
  const model = options.model === undefined ? "" : checkModel(config, options.model);
  const store = await openConfiguredStore(config);
  try {
    const { id, name } = await findProject(store, options.project);
    await work({ config, store, key: { projectId: id, model }, project: name });
  } finally {
    await store.close();
  }
}

/** Returns the name of a model, also of one that is given as callers do; ends the command if there is none of it. */
export function checkModel({ models, prefix }: Config, given: string): string {
  const name = given.startsWith(`${prefix}/`) ? given.slice(prefix.length + 1) : given;
  if (models.some((model) => model.name === name)) return name;
  fail(`there is no model '${given}': there are ${models.map((model) => model.name).join(", ")}`);
}

/** Lists what is known of a project's workloads. */
export async function runList(options: WorkloadOptions): Promise<void> {
  if (options.url !== undefined) return await listRemoteWorkloads(options);
  await withWorkload(options, async ({ config, store, key, project }) => {
    const workloads = await listWorkloads(store, key.projectId);
    if (workloads.length === 0) return print(`no workload of ${project} has learned state yet`);
    const controls = await tableOf(config, store);
    const rows = workloads.map(({ key: of, rewards, updatedAt }) => {
      const { mode, hold } = controls.of(of);
      return [of.model, mode, describeHold(hold), String(Math.round(rewards)), updatedAt.toISOString()];
    });
    printTable(["MODEL", "MODE", "HELD", "REWARDS", "LEARNED"], rows);
  });
}

/** Shows a workload. */
export async function runShow(options: WorkloadOptions): Promise<void> {
  if (options.url !== undefined) return await (await import("./show-remote-workload.ts")).showRemoteWorkload(options);
  await withWorkload(options, async ({ config, store, key }) => {
    const controls = (await tableOf(config, store)).of(key);
    for (const line of describeControls(controls)) print(line);
    const [known, shadow] = [await readWorkload(store, key), await readShadowUsage(store, { ...key, ...lastDays() })];
    const usage = await readSpent(store, key);
    if (usage !== undefined) print(`${SHADOW_DAYS} days: ${describeEarned(effectIn(known?.learned, controls), usage)}`);
    if (shadow !== undefined) print(`shadow trials (${SHADOW_DAYS} days): ${describeShadow(shadow)}`);
    if (known?.learned === undefined) print("no learned state yet");
    else {
      showState(known.learned, controls, usage?.baseCostNanos ?? null);
      showSelection(known.learned);
      showLatencies(known.learned);
    }
    const events = await readWorkloadHistory(store, key, SHOWN_EVENTS);
    if (events.length === 0) return;
    print();
    printTable(
      ["TIME", "EVENT", "DETAIL"],
      events.map(({ at, kind, detail }) => [at.toISOString(), kind, describeDetail(detail)]),
    );
  });
}

function effectIn(learned: MemorySnapshot | undefined, { excluded }: WorkloadControls): Outlook | null {
  try {
    return (learned && effectOf(restoreSnapshot(learned.policy), excluded)) ?? null;
  } catch (error) {
    if (error instanceof SnapshotError) return null;
    throw error;
  }
}

function showState(
  { policy, best }: MemorySnapshot,
  { mode, hold, excluded }: WorkloadControls,
  baseNanos: number | null,
): void {
  try {
    const state = restoreSnapshot(policy);
    const room = mayDeviate(state) ? "have room" : "exceeded: only base answers";
    const judge = judgeFigures(state);
    if (judge !== null) print(`judge: ${describeJudge(judge)}`);
    const finding = pickFinding(findingsOf(state), excluded);
    if (finding !== undefined) {
      const isFree = mode === "on" && hold?.kind !== "frozen";
      const isAnswering = isFree && best.some(([, model]) => model === finding.model);
      print(`finding: ${describeFinding(finding, { baseNanos, isAnswering })}`);
    }
    const outlook = mode === "observe" ? outlookOf(state, excluded) : undefined;
    if (outlook !== undefined) {
      print(`on would have answered ${describeOutlook(outlook)}: attune workloads mode on --model ${policy.base}`);
    }
    print(`rewards: ${state.rewards}   families: ${policy.families.length}   regret budgets: ${room}\n`);
    const learned = learnedAdvantages(state);
    // Several answers are held against what is expected of them, and have no advantage to tell.
    const rows = state.arms.map((model, arm) => [
      model === policy.base ? `${model} (base)` : model,
      learned[model]?.advantage.toFixed(3) ?? "-",
      String(Math.round(state.armCounts[arm] ?? 0)),
      String(best.filter(([, name]) => name === model).length),
    ]);
    printTable(["MODEL", "BETTER BY", "REWARDS", "BEST IN FAMILIES"], rows);
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    print(`${error.message}: run 'attune workloads rebuild'`);
  }
}

/** Tells what was learned of the choice among candidates, if anything was. */
function showSelection({ selection }: MemorySnapshot): void {
  const figures = selection && selectionFigures(selection);
  if (figures === undefined) return;
  const { rewards, accuracy, isProven, weights } = figures;
  const [value, low, high] = [accuracy.value, accuracy.low, accuracy.high].map((part) => part.toFixed(2));
  const seen = `${Math.round(accuracy.observations)} ${accuracy.basis === "pairs" ? "pairs" : "randomly chosen answers"}`;
  const right =
    accuracy.observations === 0 ? "not measured yet" : `right in ${value} of pairs (${low} to ${high}), over ${seen}`;
  print(`\nselector: ${rewards} rewards   ${right}   ${isProven ? "chooses where learning is on" : "not proven"}\n`);
  printTable(
    ["SIGNAL", "WEIGHT", "STD ERROR"],
    weights.map(({ signal, weight, doubt }) => [signal, weight.toFixed(3), doubt.toFixed(3)]),
  );
}

const WAITS: Readonly<Record<LatencyKind, string>> = {
  unary: "answer (not streamed)",
  firstToken: "first token of a stream",
  streamed: "end of a stream",
};

/** Tells how long several answers take beside those of base, if any were given. */
function showLatencies({ latencies, policy }: MemorySnapshot): void {
  const figures = new Latencies(latencies).figures(policy.base);
  if (figures.length === 0) return;
  print();
  printTable(
    ["MODEL", "UNTIL", "MEAN MS", "ANSWERS", "TIMES BASE"],
    figures.map(({ arm, kind, count, meanMs, slowdown }) => [
      ...[arm === policy.base ? `${arm} (base)` : arm, WAITS[kind], String(Math.round(meanMs)), String(count)],
      slowdown === undefined ? "-" : `${slowdown.mean.toFixed(2)} ± ${slowdown.doubt.toFixed(2)}`,
    ]),
  );
}

/** Says what feedback may change. */
export async function runMode(mode: ModeArgument, options: WorkloadOptions): Promise<void> {
  await set(options, { mode: mode === "default" ? null : mode }, `mode ${mode}`);
}

/** Has only base answer. */
export async function runFreeze(options: WorkloadOptions): Promise<void> {
  await set(options, { hold: "frozen", pinned: null }, "frozen: only base answers");
}

/** Has one model answer. */
export async function runPin(answering: string, options: WorkloadOptions): Promise<void> {
  const pinned = options.url === undefined ? checkModel(readConfig(), answering) : answering;
  await set(options, { hold: "pinned", pinned }, `pinned: ${pinned} answers wherever it can`);
}

/** Ends freeze and pin; for a workload, those of its project too. */
export async function runFree(options: WorkloadOptions): Promise<void> {
  await set(options, { hold: options.model === undefined ? null : "free", pinned: null }, "free: the policy chooses");
}

/** Says which models never answer in base's place. */
export async function runExclude(models: readonly string[], options: WorkloadOptions): Promise<void> {
  const config = options.url === undefined ? readConfig() : undefined;
  const excluded = [...new Set(models.map((model) => (config === undefined ? model : checkModel(config, model))))];
  const said = excluded.length === 0 ? "no model is excluded" : `excluded: ${excluded.join(", ")}`;
  await set(options, { excluded: excluded.length === 0 ? null : excluded }, said);
}

/** Forgets what was learned. */
export async function runReset(options: WorkloadOptions): Promise<void> {
  if (options.url !== undefined) return await resetRemoteWorkload(options);
  await withWorkload(options, async ({ store, key, project }) => {
    if (!(await resetWorkload(store, key))) fail(`${key.model} in ${project} has no learned state`);
    print(`${key.model} in ${project} is reset`);
  });
}

async function set(options: WorkloadOptions, changes: Partial<ControlSettings>, said: string): Promise<void> {
  if (options.url !== undefined) return await setRemoteControls(options, changes);
  await withWorkload(options, async ({ store, key, project }) => {
    await setControls(store, key, changes);
    print(`${key.model === "" ? `all workloads of ${project}` : `${key.model} in ${project}`}: ${said}`);
  });
}

/** Returns the resolved controls of each workload of a database. */
export async function tableOf({ learning }: Config, store: Store): Promise<ControlTable> {
  const controls = new ControlTable(learning);
  controls.replace(await readControls(store));
  return controls;
}

/** Says what holds for a workload, in lines. */
export function describeControls(controls: WorkloadControls): string[] {
  const { mode, hold, excluded, objective, rewardPerPrice, feedback, unit, shadow, metrics } = controls;
  const isPriceEarned = OBJECTIVES[objective].isPriceEarned && rewardPerPrice !== undefined;
  return [
    `mode: ${mode}   held: ${describeHold(hold)}   objective: ${objective}   feedback: ${feedback}   unit: ${unit}`,
    `shadow: ${describeShadowControls(shadow)}`,
    ...(isPriceEarned ? [`reward per price: ${rewardPerPrice} for each price of base more`] : []),
    ...(excluded.length > 0 ? [`excluded: ${excluded.join(", ")}`] : []),
    ...metrics.map((metric) => `metric ${describeMetric(metric)}`),
  ];
}

function describeShadowControls({ share, judge, rubric, usdPerDay, budget }: WorkloadControls["shadow"]): string {
  if (share === 0) return "off";
  const part = `${Number((share * 100).toPrecision(3))}% of the answers`;
  if (judge === undefined) return `${part}, but no judge is set: nothing is tried`;
  const ofWhom = budget === "" ? "of the installation" : budget.includes("/") ? "of this workload" : "of the project";
  return `${part}, judged by ${judge}${rubric === undefined ? "" : " with a rubric"}, up to ${writeUsd(usdPerDay)} USD a day ${ofWhom}`;
}

function describeHold(hold: WorkloadControls["hold"]): string {
  if (hold === undefined) return "no";
  return hold.kind === "frozen" ? "frozen" : `pinned to ${hold.model}`;
}
