import type { Usage } from "../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import type { End } from "../../hub/server-facts.ts";
import type { AnswerContext, KnownFacts } from "./protocol.ts";

/** Words of the three formats for an answer's end: servers take them from one another. */
const WORDS: ReadonlyMap<string, End> = new Map([
  ["stop", "stop"],
  ["end_turn", "stop"],
  ["stop_sequence", "stop_sequence"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["max_output_tokens", "length"],
  ["model_context_window_exceeded", "context_window"],
  ["tool_calls", "tool_use"],
  ["function_call", "tool_use"],
  ["tool_call", "tool_use"],
  ["tool_use", "tool_use"],
  ["content_filter", "content_filter"],
  ["refusal", "refusal"],
  ["pause_turn", "pause"],
  ["error", "failed"],
]);

const REASONS: Readonly<Record<Exclude<End, "failed">, FinishReason>> = {
  stop: FinishReason.STOP,
  stop_sequence: FinishReason.STOP_SEQUENCE,
  length: FinishReason.LENGTH,
  context_window: FinishReason.CONTEXT_WINDOW,
  tool_use: FinishReason.TOOL_USE,
  content_filter: FinishReason.CONTENT_FILTER,
  refusal: FinishReason.REFUSAL,
  pause: FinishReason.PAUSE,
};

/**
 * Maps a server's word for the end of an answer; UNSPECIFIED for a word that nobody knows. Throws UPSTREAM_ERROR for
 * one that says that the answer broke off; of the cause it says nothing more. `usage` is what was spent until then.
 */
export function readEnd(word: string, profile: KnownFacts, usage?: Usage): FinishReason {
  const end = spellings(word)
    .map((spelling) => find(spelling, profile))
    .find((found) => found !== undefined);
  if (end === undefined) return FinishReason.UNSPECIFIED;
  if (end !== "failed") return REASONS[end];
  const message = `the upstream's answer ends with the reason '${word}'`;
  throw new InferenceError(ErrorReason.UPSTREAM_ERROR, message, { usage });
}

/** Gemini writes `content_filter: SAFETY`, others `STOP`, `content-filter`, or `safety` for its SAFETY. */
function spellings(word: string): readonly string[] {
  const first = word.split(":", 1)[0]?.trim().replaceAll("-", "_") ?? "";
  return [word, first.toLowerCase(), first.toUpperCase()];
}

function find(word: string, profile: KnownFacts): End | undefined {
  const ends = profile?.ends;
  return ends !== undefined && Object.hasOwn(ends, word) ? ends[word] : WORDS.get(word);
}

/** Tells whether an answer that ended well took all its tokens, where its server does not say that it cut it. */
export function tookAllTokens({ profile, maxOutputTokens }: AnswerContext, usage: Usage | undefined): boolean {
  return profile?.tellsCuts === false && maxOutputTokens !== undefined && usage?.outputTokens === maxOutputTokens;
}
