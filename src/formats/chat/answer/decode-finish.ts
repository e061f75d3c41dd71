import { create } from "@bufbuild/protobuf";
import { BillingFactsSchema, type Usage, UsageSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { type Finished, FinishedSchema, FinishReason } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { extraMembers, isJsonObject, type JsonObject } from "../../shared/json.ts";
import type { AnswerContext } from "../../shared/protocol.ts";
import { countsBySuffix, readBilling, readLongWrites, readMedia } from "../../shared/read-billing.ts";
import { tookAllTokens } from "../../shared/read-end.ts";
import { readTerms, type Terms } from "../../shared/read-terms.ts";
import { readUsage, toTokens, withFormatNames } from "../../shared/read-usage.ts";
import { chatJson } from "../raw-json.ts";

/** The end of a stream, as far as it came. */
interface StreamEnd {
  readonly rawReason: string;
  readonly reason: FinishReason;
  /** Number of tool calls in the answer. */
  readonly calls: number;
  readonly usage: Usage | undefined;
  readonly context: AnswerContext;
  /** Members that only this dialect knows, by the object that they belong to. */
  readonly answer: JsonObject;
  readonly choice: JsonObject;
  readonly message: JsonObject;
}

/** Decodes the end of a stream. */
export function decodeFinish(end: StreamEnd): Finished {
  const { rawReason, reason, calls, usage, context, answer, choice, message } = end;
  // A word that the hub does not know is a member that only this format knows.
  const inChoice = reason === FinishReason.UNSPECIFIED ? { ...choice, finish_reason: rawReason } : choice;
  // vLLM names the stop sequence in `stop_reason`, SGLang in `matched_stop`.
  const named = [choice.stop_reason, choice["matched_stop"]].find((text) => typeof text === "string");
  const sequence = typeof named === "string" && reason === FinishReason.STOP ? named : undefined;
  const mapped = mapStop(reason, calls, sequence);
  // Tokens of several choices are told as one sum.
  const isCut =
    mapped === FinishReason.STOP && (context.choices ?? 1) === 1 && tookAllTokens(context, usage, rawReason);
  return create(FinishedSchema, {
    reason: isCut ? FinishReason.LENGTH : mapped,
    rawReason,
    stopSequence: sequence,
    usage,
    extension: chatJson(joinMembers(answer, inChoice, message)),
  });
}

/**
 * Some servers end a forced call with `stop`, and an answer without a call with `tool_calls`: what counts is whether
 * there is a call.
 */
function mapStop(reason: FinishReason, calls: number, sequence: string | undefined): FinishReason {
  if (reason === FinishReason.TOOL_USE && calls === 0) return FinishReason.STOP;
  if (reason !== FinishReason.STOP) return reason;
  if (calls > 0) return FinishReason.TOOL_USE;
  return sequence === undefined ? reason : FinishReason.STOP_SEQUENCE;
}

/** Puts the members back into the form of an answer. */
function joinMembers(answer: JsonObject, choice: JsonObject, message: JsonObject): JsonObject | undefined {
  const inChoice = isEmpty(message) ? choice : { ...choice, message };
  const all = isEmpty(inChoice) ? answer : { ...answer, choices: [inChoice] };
  return isEmpty(all) ? undefined : all;
}

function isEmpty(object: JsonObject): boolean {
  for (const _name in object) return false;
  return true;
}

const KNOWN = new Set([
  "prompt_tokens",
  "completion_tokens",
  "total_tokens",
  "prompt_tokens_details",
  "completion_tokens_details",
]);
const KNOWN_OF_PROMPT = new Set(["cached_tokens", "cache_write_tokens"]);
const KNOWN_OF_COMPLETION = new Set(["reasoning_tokens"]);

/** Returns the usage of a chunk; Groq has that of a stream in a member of its own (its SDK's ChatCompletionChunk). */
export function findUsage({ usage, x_groq: beside }: JsonObject): unknown {
  return usage ?? (isJsonObject(beside) ? beside.usage : undefined);
}

/** Decodes `usage`. */
export function decodeUsage(told: JsonObject): Usage {
  const usage = withFormatNames(told);
  // Some servers have the names of Responses, and Mistral one of its own.
  const ofPrompt = usage.prompt_tokens_details ?? usage["prompt_token_details"] ?? usage["input_tokens_details"];
  const ofAnswer = usage.completion_tokens_details ?? usage["output_tokens_details"];
  const prompt = isJsonObject(ofPrompt) ? ofPrompt : {};
  const completion = isJsonObject(ofAnswer) ? ofAnswer : {};
  const counts = readUsage({
    prompt: usage.prompt_tokens ?? usage.input_tokens,
    ...countAnswer(usage, completion),
    usage,
    details: prompt,
  });
  const billing = readBilling({
    ...readMedia({ input: prompt, output: completion, inputTokens: counts.inputTokens }),
    cacheWrite12h: readLongWrites(prompt),
    // Of Perplexity and xAI, which search before they answer.
    toolCalls: {
      web_search: usage.num_search_queries,
      sources: usage.num_sources_used,
      citation_token: usage.citation_tokens,
      ...countsBySuffix(usage.server_side_tool_usage_details, "_calls"),
    },
  });
  const writes = prompt["cache_creation_token_details"] ?? usage["cache_creation"];
  const lifetimes = isJsonObject(writes) ? readLifetimes(counts.cacheWriteTokens, writes) : {};
  return create(UsageSchema, {
    ...counts,
    ...lifetimes,
    extension: chatJson(getExtra(usage, { prompt, completion })),
    billing,
  });
}

/** Reads how long Anthropic's cache keeps what was written, where LiteLLM or another gateway hands it on. */
function readLifetimes(written: number, { ephemeral_1h_input_tokens: told }: JsonObject) {
  const hour = Math.min(written, toTokens(told));
  return hour === 0 ? {} : { cacheWrite5mTokens: written - hour, cacheWrite1hTokens: hour };
}

/**
 * Reads the counts of the answer. SGLang tells its reasoning at the top; so does Perplexity, beside `completion_tokens`
 * and outside of `total_tokens` too.
 */
function countAnswer(usage: JsonObject, details: JsonObject): { output: unknown; reasoning: unknown } {
  const { reasoning_tokens: thought, completion_tokens: output = usage.output_tokens } = usage;
  const isBeside = usage.citation_tokens !== undefined || usage.num_search_queries !== undefined;
  if (!isBeside || details.reasoning_tokens !== undefined) {
    return { output, reasoning: details.reasoning_tokens ?? thought };
  }
  return { output: toTokens(output) + toTokens(thought), reasoning: thought };
}

/** Reads the tier of Vertex AI, which its Chat route tells inside the usage. */
function readTrafficType({ extra_properties: extra }: JsonObject): JsonObject {
  const google = isJsonObject(extra) ? extra.google : undefined;
  return { service_tier: isJsonObject(google) ? google.traffic_type : undefined };
}

/** The facts of an answer beside its usage that change its cost. */
interface BillingSources {
  /** The members of the answer. */
  readonly answer: JsonObject;
  /** The usage as it came. */
  readonly told: JsonObject;
  /** The terms that were asked for. */
  readonly terms: Terms | undefined;
  /** True if its text cites pages of the web. */
  readonly citesPages: boolean;
}

/** Adds the terms that served, and a search of the web that no count tells: OpenAI's search models make one a call. */
export function withBilling(usage: Usage | undefined, beside: BillingSources): Usage | undefined {
  const { answer, told: members, terms, citesPages } = beside;
  const places = [members, readTrafficType(members), answer];
  const reportedBilling = readBilling(readTerms(places, terms));
  const calls = usage?.billing?.toolCalls ?? {};
  const isUncounted = citesPages && usage !== undefined && calls["web_search"] === undefined;
  if (reportedBilling === undefined && !isUncounted) return usage;
  const known = usage ?? create(UsageSchema);
  const billing = known.billing ?? create(BillingFactsSchema);
  return {
    ...known,
    billing: {
      ...billing,
      serviceTier: reportedBilling?.serviceTier ?? "",
      speed: reportedBilling?.speed ?? "",
      region: reportedBilling?.region ?? "",
      toolCalls: isUncounted ? { ...calls, web_search: 1 } : calls,
    },
  };
}

/** Returns the counts that the hub has no field for; undefined if there are none. */
function getExtra(usage: JsonObject, details: { readonly prompt: JsonObject; readonly completion: JsonObject }) {
  const extra = extraMembers(usage, KNOWN);
  const prompt = extraMembers(details.prompt, KNOWN_OF_PROMPT);
  const completion = extraMembers(details.completion, KNOWN_OF_COMPLETION);
  if (prompt === undefined && completion === undefined) return extra;
  return {
    ...extra,
    ...(prompt && { prompt_tokens_details: prompt }),
    ...(completion && { completion_tokens_details: completion }),
  };
}

/** Tells whether any tokens were counted. */
export function hasTokens({ inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens }: Usage): boolean {
  return inputTokens + cacheReadTokens + cacheWriteTokens + outputTokens > 0;
}
