import { type ContentBlock, ToolKind, type ToolUseBlock } from "../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason, type GenerateResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { AnswerVerdict } from "../ports.ts";
import type { JudgeTexts, TextBySchema, TextJudgement } from "./check-thread.ts";
import type { RequestedForm } from "./requested-form.ts";
import { type JudgedChecks, Tally } from "./tally.ts";
import { webhookBody } from "./webhooks/webhook-body.ts";

/** Most calls of an answer that are looked at. */
const MAX_CALLS = 64;

/**
 * Checks that a finished answer is whole, and against what was asked of its form, if anything was. Never rejects: what
 * cannot be judged is not held against it.
 */
export async function checkAnswer(
  answer: GenerateResponse,
  form: RequestedForm | undefined,
  judge: JudgeTexts,
): Promise<AnswerVerdict> {
  const tally = new Tally();
  const reason = answer.finished?.reason;
  // A turn that goes on with the next request is no answer yet.
  if (reason === FinishReason.PAUSE) return tally.verdict;
  const isWhole = checkEnding(answer, tally);
  if (!isWhole || form === undefined) return tally.verdict;
  const calls = getCalls(answer);
  if (calls.length > 0) await checkCalls(calls, form, { tally, judge });
  // A stop sequence of the caller's own may well stand inside of what would have been JSON.
  else if (reason !== FinishReason.STOP_SEQUENCE) await checkText(answer, form, { tally, judge });
  // They are sent nothing that is asked for once more in any case.
  if (form.webhooks.length > 0 && !tally.verdict.isRetryable) await checkByWebhooks(answer, form, { tally, judge });
  return tally.verdict;
}

/** Returns whether the answer is whole, and thus may be held against what was asked. */
function checkEnding({ content, finished }: GenerateResponse, tally: Tally): boolean {
  const reason = finished?.reason ?? FinishReason.UNSPECIFIED;
  const isCut = CUT.has(reason);
  const isRefused = reason === FinishReason.REFUSAL || content.some(({ kind }) => kind.case === "refusal");
  tally.count(!isCut, "cut");
  tally.count(!isRefused, "refused");
  tally.count(isRefused || content.some(saysSomething), "empty");
  return !isCut && !isRefused;
}

const CUT: ReadonlySet<FinishReason> = new Set([
  FinishReason.LENGTH,
  FinishReason.CONTEXT_WINDOW,
  FinishReason.CONTENT_FILTER,
]);

function saysSomething({ kind }: ContentBlock): boolean {
  if (kind.case === "text") return kind.value.text.trim() !== "";
  return kind.case !== undefined && kind.case !== "thinking" && kind.case !== "redactedThinking";
}

interface Checking {
  readonly tally: Tally;
  readonly judge: JudgeTexts;
}

/** A demand on the texts of an answer: its alternatives, and the failed check where none holds. */
interface Demand {
  readonly texts: readonly TextBySchema[];
  readonly checks: JudgedChecks;
}

/**
 * Joined, the texts have to be what was asked for; or the last one has, where the model said something before it set to
 * work.
 */
async function checkText(
  { content }: GenerateResponse,
  { text: textForm, rules }: RequestedForm,
  { tally, judge }: Checking,
) {
  const texts = content.flatMap(({ kind }) => (kind.case === "text" ? [kind.value.text] : []));
  const last = texts.findLast((text) => text.trim() !== "") ?? "";
  const whole = texts.join("");
  const readings = whole === last ? [whole] : [whole, last];
  const demands = [
    ...(textForm === undefined ? [] : [jsonDemand(readings, textForm)]),
    ...rules.flatMap(({ pattern, schemaJson }) => [
      ...(pattern === undefined ? [] : [patternDemand(readings, pattern)]),
      ...(schemaJson === undefined ? [] : [jsonDemand(readings, { schemaJson, root: "any" })]),
    ]),
  ];
  // All in one question: what limits how long an answer is kept waiting limits each question.
  const judgements = await judge(demands.flatMap(({ texts }) => texts));
  for (const [index, { checks }] of demands.entries()) {
    const start = index * readings.length;
    tally.judged(getBest(judgements.slice(start, start + readings.length)), checks);
  }
}

function jsonDemand(readings: readonly string[], form: Omit<TextBySchema, "text">): Demand {
  const checks = { invalid: "invalid_json", mismatch: "schema_mismatch" } as const;
  return { texts: readings.map((text) => ({ text, ...form })), checks };
}

/** As a text by a schema: patterns are matched where none of them holds anybody up. */
function patternDemand(readings: readonly string[], pattern: string): Demand {
  const schemaJson = JSON.stringify({ type: "string", pattern });
  const texts = readings.map((text) => ({ text: JSON.stringify(text), schemaJson, root: "any" as const }));
  return { texts, checks: { invalid: "pattern_mismatch", mismatch: "pattern_mismatch" } };
}

function getBest(judgements: readonly (TextJudgement | undefined)[]): TextJudgement | undefined {
  if (judgements.includes("fits")) return "fits";
  if (judgements.includes(undefined)) return undefined;
  return judgements.includes("mismatch") ? "mismatch" : "invalid";
}

async function checkCalls(
  calls: readonly ToolUseBlock[],
  { tools, areAllTools }: RequestedForm,
  { tally, judge }: Checking,
) {
  const texts: TextBySchema[] = [];
  for (const { name, kind, arguments: text } of calls.slice(0, MAX_CALLS)) {
    const tool = tools.get(name);
    if (tool !== undefined || areAllTools) tally.count(tool !== undefined, "unknown_tool");
    if (tool?.kind !== "function" || kind === ToolKind.CUSTOM) continue;
    const { schemaJson } = tool;
    // A call without arguments may come without any text.
    texts.push({
      text: text.trim() === "" ? "{}" : text,
      schemaJson,
      root: schemaJson === undefined ? "object" : "any",
    });
  }
  if (texts.length === 0) return;
  for (const judgement of await judge(texts)) {
    tally.judged(judgement, { invalid: "invalid_arguments", mismatch: "arguments_mismatch" });
  }
}

/** All at once, so that the answer is kept waiting for the slowest and not for the sum. */
async function checkByWebhooks(
  answer: GenerateResponse,
  { webhooks, input }: RequestedForm,
  { tally, judge }: Checking,
) {
  const checks = { invalid: "webhook_rejected", mismatch: "webhook_rejected" } as const;
  const texts = webhooks.map((webhook) => ({ webhook, body: () => webhookBody(answer, input, webhook) }));
  for (const judgement of await judge(texts)) tally.judged(judgement, checks);
}

function getCalls({ content }: GenerateResponse): ToolUseBlock[] {
  return content.flatMap(({ kind }) => (kind.case === "toolUse" ? [kind.value] : []));
}
