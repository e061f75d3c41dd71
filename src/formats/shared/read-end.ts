import type { Usage } from "../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { End } from "../../catalog/facts.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
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

/**
 * Pieces of words that no list has, as snake case: servers have dozens of spellings for one meaning. An answer that
 * broke off is told by its first piece, for `context_canceled` and `error_length` are no limits.
 */
const PIECES: readonly (readonly [RegExp, End])[] = [
  [
    /filter|safety|moderat|guardrail|polic|sensitive|unsafe|harmful|prohibit|block(?:ed|list)|toxic|flagged|violat|recitation|risk_control|inspection|profan/,
    "content_filter",
  ],
  [/^refus/, "refusal"],
  [
    /error|exception|abort|cancel|fail|time(?:d)?_?out|(?:^|_)dead|disconnect|interrupt|kill|preempt|evict|terminat|overload|unavailable|out_of_memory|^oom$|crash|malformed|unloaded|rate_limit|quota|not_finished|missing_thought/,
    "failed",
  ],
  [/(?:^|_)context|model_len/, "context_window"],
  [
    /(?:^|_)length|max_(?:new_|output_|completion_|generation_)?(?:len|tok|seq)|tokens?_(?:limit|budget)|output_limit|^limit$|truncat|time_limit|max_time|^repetition/,
    "length",
  ],
  [/^(?:tool|function)s?(?:_?(?:use|call)s?)?$/, "tool_use"],
  [/^stop_?(?:str|string|word|sequence)s?(?:_found)?$/, "stop_sequence"],
  [/^(?:end|stop|eo[st]|completed|(?:end|eos|stop)_?(?:of_)?_?(?:token|text|turn|sequence|criteria))$/, "stop"],
];

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
  // Gemini writes `content_filter: SAFETY`, and the cause behind the colon says more.
  const end = firstOf(word.split(":").toReversed(), (part) => getMeaning(part.trim(), profile));
  if (end === undefined) return FinishReason.UNSPECIFIED;
  if (end !== "failed") return REASONS[end];
  const message = `the upstream's answer ends with the reason '${word}'`;
  throw new InferenceError(ErrorReason.UPSTREAM_ERROR, message, { usage });
}

function getMeaning(word: string, profile: KnownFacts): End | undefined {
  const written = spellings(word);
  return firstOf(written, (spelling) => find(spelling, profile)) ?? byPieces(written[3]);
}

function firstOf<Item, Found>(items: readonly Item[], search: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = search(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Servers write `STOP`, `content-filter`, `safety` for Gemini's SAFETY, `maxTokens`, or `FINISH_REASON_STOP`. The last
 * one is in snake case.
 */
function spellings(word: string): readonly [string, string, string, string] {
  const first = word.replaceAll(/[-. ]/g, "_");
  const snake = first.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
  const bare = snake.replace(/^(?:finish_|stop_)?reason_/, "");
  return [word, first.toLowerCase(), first.toUpperCase(), bare];
}

/** Longest word that is looked into: a longer text is no word. */
const WORD_CHARACTERS = 60;

function byPieces(word: string): End | undefined {
  if (word.length > WORD_CHARACTERS) return undefined;
  return PIECES.find(([piece]) => piece.test(word))?.[1];
}

function find(word: string, profile: KnownFacts): End | undefined {
  const ends = profile?.ends;
  return ends !== undefined && Object.hasOwn(ends, word) ? ends[word] : WORDS.get(word);
}

/**
 * Tells whether an answer that ended well, as `word` says, took all its tokens, where its server does not say that it
 * cut it. One that says nothing at all does not say that either.
 */
export function tookAllTokens(
  { profile, maxOutputTokens }: AnswerContext,
  usage: Usage | undefined,
  word: string,
): boolean {
  const tellsCuts = profile?.tellsCuts !== false && word !== "";
  return !tellsCuts && maxOutputTokens !== undefined && usage?.outputTokens === maxOutputTokens;
}
