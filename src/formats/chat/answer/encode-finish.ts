import { type Finished, FinishReason } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import { readChatJson } from "../raw-json.ts";
import type { ChatFinishReason } from "../types.ts";

/**
 * A paused turn and a word that nobody knows have no twin here, and are no natural end: the answer is told as one that
 * was cut. A refusal is told by its own member.
 */
const REASONS: Record<FinishReason, ChatFinishReason> = {
  [FinishReason.UNSPECIFIED]: "length",
  [FinishReason.STOP]: "stop",
  [FinishReason.STOP_SEQUENCE]: "stop",
  [FinishReason.LENGTH]: "length",
  [FinishReason.CONTEXT_WINDOW]: "length",
  [FinishReason.TOOL_USE]: "tool_calls",
  [FinishReason.CONTENT_FILTER]: "content_filter",
  [FinishReason.REFUSAL]: "stop",
  [FinishReason.PAUSE]: "length",
};

/** Reasons that do not tell what becomes of the calls of an answer: they are to be made. */
const UNTOLD: ReadonlySet<FinishReason> = new Set([FinishReason.UNSPECIFIED, FinishReason.PAUSE]);

/**
 * Maps the end of an answer. A word that only this format knows stays what it is. `tool_calls` stands only beside
 * calls: those of other formats' hosted tools are not shown. `isOlder` says that a call stands in `function_call`.
 */
export function mapFinishReason(
  finished: Finished | undefined,
  { calls, isOlder }: { readonly calls: number; readonly isOlder: boolean },
): string {
  const own =
    finished?.reason === FinishReason.UNSPECIFIED ? answerMembers(finished).choice["finish_reason"] : undefined;
  if (typeof own === "string") return own;
  const known = finished?.reason ?? FinishReason.UNSPECIFIED;
  const reason = calls > 0 && UNTOLD.has(known) ? "tool_calls" : (REASONS[known] ?? "stop");
  if (reason !== "tool_calls") return reason;
  if (isOlder) return "function_call";
  return calls === 0 ? "stop" : reason;
}

/** The text of a refusal without words; without any it could not be told from an answer. */
const WORDLESS_REFUSAL = "The model refused to answer.";

/** Returns what is still to say of a refusal at the end of an answer; undefined if it was said, or if there is none. */
export function missingRefusal(finished: Finished | undefined, hasRefusal: boolean): string | undefined {
  return finished?.reason === FinishReason.REFUSAL && !hasRefusal ? WORDLESS_REFUSAL : undefined;
}

/** Members of an answer that only this dialect knows, by the object that they belong to. */
interface AnswerMembers {
  readonly answer: JsonObject;
  readonly choice: JsonObject;
  readonly message: JsonObject;
}

const NO_MEMBERS: AnswerMembers = { answer: {}, choice: {}, message: {} };

/** Takes apart the extension of the end, which has the form of an answer. */
export function answerMembers(finished: Finished | undefined): AnswerMembers {
  const extension = readChatJson(finished?.extension);
  if (extension === undefined) return NO_MEMBERS;
  const { choices, ...answer } = extension;
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const { message, ...choice } = isJsonObject(first) ? first : {};
  return { answer, choice, message: isJsonObject(message) ? message : {} };
}
