import {
  type DecidingAnswer,
  type Improvement,
  type ImprovementOffer,
  type ImprovementPlan,
  ImprovementState,
} from "../../gen/attune/admin/v1/admin_pb.ts";
import {
  type Estimate,
  Hold,
  LearningMode,
  type PromptFamily,
  type Workload,
} from "../../gen/attune/workload/v1/workload_pb.ts";
import { capitalize } from "../lib/letter-case.ts";
import { describeCallLimit, USUAL_CALLS } from "../vocabulary/improvement.ts";
import { describeVerdicts } from "../vocabulary/judge-figures.ts";
import { formatUsd, NANOS_PER_USD, writeUsd } from "../vocabulary/money.ts";
import { describeOutlook } from "../vocabulary/outlook.ts";

/** A model that has too little evidence to be told of may answer already: the policy also goes by what it expects. */
const NO_FINDING = "No other model has enough ratings and grades yet to be compared with base.";

/** Describes what is known before an improvement, in lines: what it would cost comes first. */
export function describePlan(plan: ImprovementPlan, wanted = USUAL_CALLS): readonly string[] {
  const { estimatedUsd, highestUsd, unpricedModels, judge, secondJudge, models, recorded, rated, maxCalls } = plan;
  const calls = Math.min(maxCalls, Number(recorded));
  const limit = judge === "" ? undefined : describeCallLimit(wanted, maxCalls);
  const cost =
    estimatedUsd !== undefined && highestUsd !== undefined
      ? `${calls} calls cost about ${usd(estimatedUsd)} with their grades, ${usd(highestUsd)} if only the most expensive model is asked`
      : unpricedModels.length > 0
        ? `the cost isn't known, because these have no price: ${unpricedModels.join(", ")}`
        : `the cost isn't known, because ${recorded === 0n ? "nothing is recorded" : "there's no judge"}`;
  const flex = plan.estimatedFlexUsd;
  return [
    flex === undefined ? cost : `${cost}, and about ${usd(flex)} if the flex tier has room`,
    ...(limit === undefined ? [] : [limit]),
    `recorded requests of 30 days: ${recorded}   rated answers to measure the judge by: ${rated}`,
    judge === "" ? "no judge: set one with 'attune workloads set --judge'" : `judge: ${judge}${secondOf(secondJudge)}`,
    models.length === 0 ? "no other model may be asked" : `may be asked: ${models.join(", ")}`,
  ];
}

/** Describes the offer to find out about models that nobody has tried on a workload, with the command. */
export function describeOffer({ models, maxCalls, maxUsd }: ImprovementOffer, model: string): string {
  const asks = models.map((name) => `--ask ${name}`).join(" ");
  const command = `attune improve ${model} ${asks} --calls ${maxCalls} --usd ${writeUsd(maxUsd)}`;
  return `not tried yet: ${models.join(", ")}. Find out for at most ${usd(maxUsd)}: ${command}`;
}

function secondOf(secondJudge: string): string {
  return secondJudge === "" ? "" : `, and ${secondJudge} when its grades are worth their price`;
}

/** Describes how far an improvement is, or how it ended. */
export function describeImprovement(improvement: Improvement): string {
  const { state, calls, checks, spentUsd, maxUsd, maxCalls, summary } = improvement;
  const done = `${calls} of ${maxCalls} requests asked, ${checks === 1n ? "1 answer" : `${checks} answers`} checked, ${usd(spentUsd)} of ${writeUsd(maxUsd)} spent`;
  if (state === ImprovementState.CANCELED) return `canceled: ${done}`;
  return summary === "" ? done : `${summary} (${done})`;
}

/** Writes what came of an improvement, as Markdown. */
export function toReport(
  improvement: Improvement,
  workload: Workload,
  answers: readonly DecidingAnswer[] = [],
): string {
  const { model, judge, finding, arms } = workload;
  const rows = arms.map(({ model: name, isBase, estimate, relativePrice }) => [
    isBase ? `${name} (base)` : name,
    writeEstimate(estimate),
    `x${Number(relativePrice.toPrecision(3))}`,
  ]);
  return [
    `## What other models would do for ${model}`,
    "",
    `${capitalize(describeImprovement(improvement))}.`,
    "",
    ...(judge === undefined ? [] : [`Judge: ${judge.summary}.`, ""]),
    ...(judge?.second === undefined ? [] : [`Second judge: ${judge.second.summary}.`, ""]),
    finding === undefined ? NO_FINDING : finding.summary,
    ...(isOpen(finding)
      ? ["", finding === undefined ? describeNextStep(model) : `That isn't sure. ${describeNextStep(model)}`]
      : []),
    "",
    ...toTable(["Model", "Worth, 95% interval", "Price relative to base"], rows),
    "",
    ...familyLines(workload),
    servedText(workload),
    ...answerLines(answers),
  ].join("\n");
}

function isOpen(finding: Workload["finding"]): boolean {
  return finding === undefined || (finding.low <= 0 && finding.high >= 0);
}

function describeNextStep(model: string): string {
  return (
    "To be surer, judge 20 pairs blind on the workload's page, and print this report again: " +
    `\`attune improve ${model} --report\``
  );
}

/** Says of each kind of prompt what base and the chosen model are worth there; nothing where kinds aren't told apart. */
function familyLines({ promptFamilies }: Workload): readonly string[] {
  if (promptFamilies.length < 2) return [];
  const rows = promptFamilies.map(({ name, requests, base, model, estimate }) => [
    writeName(name),
    String(Math.round(requests)),
    writeEstimate(base),
    model,
    writeEstimate(estimate),
  ]);
  return [...toTable(["Prompts", "Requests", "Base, 95% interval", "Choice", "Its worth"], rows), ""];
}

/** Shows the answers that decided, with the verdicts on them. */
function answerLines(answers: readonly DecidingAnswer[]): readonly string[] {
  if (answers.length === 0) return [];
  const lines = answers.flatMap((pair, at) => [
    ...(pair.model === answers[at - 1]?.model
      ? []
      : ["", `**${writeName(pair.model)}**, which is ${pair.isBetter ? "better" : "worse"} than base:`]),
    "",
    `Prompt (${writeName(pair.family)}, request ${pair.inferenceId}):`,
    ...fence(pair.question),
    `Base, ${describeVerdicts(pair.baseVerdicts ?? {})}:`,
    ...fence(pair.baseAnswer),
    `${writeName(pair.model)}, ${describeVerdicts(pair.verdicts ?? {})}:`,
    ...fence(pair.answer),
  ]);
  return ["", "### Answers that decided", ...lines];
}

/** Puts a stranger's text into a block of code, whatever it has in it. */
function fence(text: string): readonly string[] {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const mark = "`".repeat(longest + 1);
  return [`${mark}text`, text.replace(/\r\n?/g, "\n").replace(/(?![\n\t])\p{Cc}/gu, "\ufffd"), mark];
}

function toTable(headings: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  return [headings, headings.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
}

/** Writes a caller's name for a cell of a table in Markdown. */
function writeName(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ").replace(/[\\|`*_<>[\]]/g, "\\$&");
}

/** Says who answers now, and what that changes. */
function servedText(workload: Workload): string {
  const { controls, outlook, model, hasRegretRoom, recentUsage } = workload;
  if (controls?.hold === Hold.FROZEN) return "Only base answers: the workload is frozen.";
  if (controls?.hold === Hold.PINNED) return `${controls.pinnedModel} answers: the workload is pinned.`;
  if (controls?.mode === LearningMode.OBSERVE) {
    const effect = outlook && { ...outlook, price: outlook.relativeCost, rewards: Number(outlook.rewards) };
    const would = effect === undefined ? "" : ` On would answer ${describeOutlook(effect)}:`;
    return `Only base answers in the mode observe.${would} \`attune workloads mode on --model ${model}\``;
  }
  if (controls?.mode !== LearningMode.ON) return "Only base answers: learning is off.";
  const answering = hasRegretRoom ? describeAnswering(workload) : "Only base answers: a regret budget is exceeded.";
  return [answering, recentUsage?.summary ?? ""].filter((line) => line !== "").join(" ");
}

/** Says which models answer from now on, by the prompts that each is chosen for; nothing while none were seen. */
function describeAnswering({ promptFamilies, arms }: Workload): string {
  const base = arms.find(({ isBase }) => isBase)?.model;
  const byModel = Map.groupBy(promptFamilies, ({ model }) => model);
  const requestsOf = (families: readonly PromptFamily[]) => families.reduce((sum, { requests }) => sum + requests, 0);
  const all = requestsOf(promptFamilies);
  if (all === 0) return "";
  const shares = [...byModel].map(([model, families]) => ({ model, share: requestsOf(families) / all }));
  shares.sort((one, other) => other.share - one.share);
  const named = shares.map(({ model, share }) => {
    const name = model === base ? `${model} (base)` : model;
    return shares.length === 1 ? `${name} answers` : `${name} answers ${Math.round(100 * share)}% of the prompts`;
  });
  return `From now on, ${named.join(", ")}.`;
}

function writeEstimate(estimate: Estimate | undefined): string {
  return estimate === undefined
    ? ""
    : `${digits(estimate.value)} (${digits(estimate.low)} to ${digits(estimate.high)})`;
}

function usd(amount: number): string {
  return formatUsd(amount * NANOS_PER_USD);
}

function digits(value: number): string {
  return value.toFixed(3);
}
