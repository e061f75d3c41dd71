import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type ContentBlockSchema, type Usage, UsageSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import {
  type BlockDelta,
  FinishReason,
  type GenerateEvent,
  SummaryDeltaSchema,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { blockDeltaEvent, blockEndEvent, blockStartEvent, finishedEvent } from "../../hub/events.ts";
import type { Tokenizer } from "../../hub/tokens/tokenizer.ts";
import type { Answer, AnswerPart } from "./answer.ts";
import { pause } from "./pause.ts";

/** Tokens of a prompt: those that no cache holds, and those that one does. */
type PromptUsage = Pick<
  Usage,
  "inputTokens" | "cacheReadTokens" | "cacheWriteTokens" | "cacheWrite5mTokens" | "cacheWrite1hTokens"
>;

/** The options of streaming an answer. */
interface StreamOptions {
  readonly tokenizer: Tokenizer;
  /** Tokens of the prompt. */
  readonly prompt: PromptUsage;
  /** Most tokens of the answer. */
  readonly maxTokens: number;
  /** Between two tokens; with 0 a few tokens travel together. */
  readonly tokenDelayMs: number;
  /** Tokens after which the stream breaks off; undefined if it does not. */
  readonly breakAfterTokens?: number | undefined;
  readonly signal: AbortSignal;
}

const TOKENS_PER_BATCH = 4;

/** Tokens of an answer so far; those of reasoning are part of the output. */
interface Counts {
  output: number;
  reasoning: number;
}

const RAW_REASON: Record<FinishReason, string> = {
  [FinishReason.UNSPECIFIED]: "",
  [FinishReason.STOP]: "stop",
  [FinishReason.STOP_SEQUENCE]: "stop_sequence",
  [FinishReason.LENGTH]: "length",
  [FinishReason.CONTEXT_WINDOW]: "context_window",
  [FinishReason.TOOL_USE]: "tool_use",
  [FinishReason.CONTENT_FILTER]: "content_filter",
  [FinishReason.REFUSAL]: "refusal",
  [FinishReason.PAUSE]: "pause",
};

/**
 * Streams an answer token by token, up to its last token or the limit. Throws STREAM_INTERRUPTED if told to break off.
 */
export async function* streamAnswer(answer: Answer, options: StreamOptions): AsyncGenerator<GenerateEvent[]> {
  const counts: Counts = { output: 0, reasoning: 0 };
  const { maxTokens, breakAfterTokens } = options;
  breakIfDue(options, counts);
  let isCut = false;
  for (const [index, part] of answer.parts.entries()) {
    isCut = counts.output >= maxTokens || (yield* streamPart({ index, part, counts }, options));
    if (isCut) break;
  }
  const usage = getUsage(options, counts);
  if (breakAfterTokens !== undefined) throw interrupted(usage);
  const reason = isCut ? FinishReason.LENGTH : answer.reason;
  const stopSequence = isCut ? undefined : answer.stopSequence;
  yield [finishedEvent({ reason, rawReason: RAW_REASON[reason], stopSequence, usage })];
}

/** Streams a part of an answer, and counts its tokens; returns true if the limit has cut it. */
async function* streamPart(
  { index, part, counts }: { readonly index: number; readonly part: AnswerPart; readonly counts: Counts },
  options: StreamOptions,
): AsyncGenerator<GenerateEvent[], boolean> {
  const { tokenizer, maxTokens, tokenDelayMs, signal } = options;
  const isHidden = part.kind === "thinking" && !part.isShown;
  let isCut = false;
  let batch = [blockStartEvent(index, emptyBlock(part))];
  let batched = 0;
  for (const piece of tokenizer.split(part.text)) {
    isCut = counts.output + piece.tokens > maxTokens;
    // A character of which only some tokens fit is counted as far as it goes, and cannot be shown.
    const tokens = isCut ? maxTokens - counts.output : piece.tokens;
    counts.output += tokens;
    if (part.kind === "thinking") counts.reasoning += tokens;
    if (isCut) break;
    if (!isHidden) batch.push(blockDeltaEvent(index, getDelta(part, piece.text)));
    batched += 1;
    if (batched < TOKENS_PER_BATCH && tokenDelayMs === 0 && !isLastBeforeBreak(counts.output, options)) continue;
    yield batch;
    batch = [];
    batched = 0;
    breakIfDue(options, counts);
    await pause(tokenDelayMs, signal);
  }
  if (part.kind === "thinking") batch.push(blockDeltaEvent(index, { case: "opaque", value: part.signature }));
  batch.push(blockEndEvent(index));
  yield batch;
  return isCut;
}

function breakIfDue(options: StreamOptions, counts: Counts): void {
  const { breakAfterTokens } = options;
  if (breakAfterTokens === undefined || counts.output < breakAfterTokens) return;
  throw interrupted(getUsage(options, counts));
}

function isLastBeforeBreak(tokens: number, { breakAfterTokens }: StreamOptions): boolean {
  return breakAfterTokens !== undefined && tokens >= breakAfterTokens;
}

function interrupted(usage: Usage): InferenceError {
  return new InferenceError(ErrorReason.STREAM_INTERRUPTED, "the sandbox interrupted its answer, as directed", {
    usage,
  });
}

function getUsage({ prompt }: StreamOptions, counts: Counts): Usage {
  return create(UsageSchema, { ...prompt, outputTokens: counts.output, reasoningTokens: counts.reasoning });
}

function emptyBlock(part: AnswerPart): MessageInitShape<typeof ContentBlockSchema> {
  switch (part.kind) {
    case "text":
    case "refusal":
      return { kind: { case: part.kind, value: { text: "" } } };
    case "thinking":
      return { kind: { case: "thinking", value: {} } };
    case "toolUse":
      return { kind: { case: "toolUse", value: { id: part.id, name: part.name, kind: part.toolKind } } };
  }
}

function getDelta(part: AnswerPart, text: string): BlockDelta["delta"] {
  switch (part.kind) {
    case "text":
    case "refusal":
      return { case: "text", value: text };
    case "thinking":
      return { case: "summary", value: create(SummaryDeltaSchema, { part: 0, text }) };
    case "toolUse":
      return { case: "arguments", value: text };
  }
}
