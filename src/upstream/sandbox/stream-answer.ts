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
  const counts = { output: 0, reasoning: 0 };
  const { tokenizer, maxTokens, tokenDelayMs, breakAfterTokens, signal } = options;
  const breakIfDue = (): void => {
    if (breakAfterTokens === undefined || counts.output < breakAfterTokens) return;
    throw interrupted(usageOf(options, counts));
  };
  let isCut = false;
  breakIfDue();
  for (const [index, part] of answer.parts.entries()) {
    isCut = counts.output >= maxTokens;
    if (isCut) break;
    let batch = [blockStartEvent(index, emptyBlock(part))];
    let batched = 0;
    for (const piece of tokenizer.split(part.text)) {
      isCut = counts.output + piece.tokens > maxTokens;
      // A character of which only some tokens fit is counted as far as it goes, and cannot be shown.
      const tokens = isCut ? maxTokens - counts.output : piece.tokens;
      counts.output += tokens;
      if (part.kind === "thinking") counts.reasoning += tokens;
      if (isCut) break;
      if (part.kind !== "thinking" || part.isShown) batch.push(blockDeltaEvent(index, deltaOf(part, piece.text)));
      batched += 1;
      if (batched < TOKENS_PER_BATCH && tokenDelayMs === 0 && !isLastBeforeBreak(counts.output, options)) continue;
      yield batch;
      batch = [];
      batched = 0;
      breakIfDue();
      await pause(tokenDelayMs, signal);
    }
    if (part.kind === "thinking") batch.push(blockDeltaEvent(index, { case: "opaque", value: part.signature }));
    batch.push(blockEndEvent(index));
    yield batch;
    if (isCut) break;
  }
  const usage = usageOf(options, counts);
  if (breakAfterTokens !== undefined) throw interrupted(usage);
  const reason = isCut ? FinishReason.LENGTH : answer.reason;
  const stopSequence = isCut ? undefined : answer.stopSequence;
  yield [finishedEvent({ reason, rawReason: RAW_REASON[reason], stopSequence, usage })];
}

function isLastBeforeBreak(tokens: number, { breakAfterTokens }: StreamOptions): boolean {
  return breakAfterTokens !== undefined && tokens >= breakAfterTokens;
}

function interrupted(usage: Usage): InferenceError {
  return new InferenceError(ErrorReason.STREAM_INTERRUPTED, "the sandbox was told to break off its answer", { usage });
}

function usageOf({ prompt }: StreamOptions, counts: { output: number; reasoning: number }): Usage {
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

function deltaOf(part: AnswerPart, text: string): BlockDelta["delta"] {
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
