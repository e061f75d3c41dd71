import { create } from "@bufbuild/protobuf";
import { type Usage, UsageSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { extraMembers, isJsonObject, type JsonObject, toObject } from "../../shared/json.ts";
import { LateMembers } from "../../shared/late-members.ts";
import { countsBySuffix, readBilling } from "../../shared/read-billing.ts";
import { readTerms, type Terms } from "../../shared/read-terms.ts";
import { readUsage, toTokens, withFormatNames } from "../../shared/read-usage.ts";
import { messagesJson } from "../raw-json.ts";
import { type COUNTS, OWN_COUNTS, readOutsideIterations } from "./outside-iterations.ts";

const KNOWN = new Set([
  "input_tokens",
  "output_tokens",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
  "cache_creation",
  "output_tokens_details",
]);
/** The counts of a prompt. */
const PROMPT: readonly string[] = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
const WRITTEN = new Set(["ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens"]);
const DETAILS = new Set(["thinking_tokens"]);

/** Gathers the usage of a stream: later values that are not null replace earlier ones, for they are totals. */
export class UsageSum {
  readonly #members = new LateMembers();
  readonly #answer: LateMembers;
  readonly #requestTerms: Terms | undefined;
  #known = false;
  #isOutputTold = false;
  /** The model that answers, as the upstream calls it. */
  model = "";

  /** `answer` has the members of the message, some of which tell terms; `requestTerms` are those of the request. */
  constructor(answer = new LateMembers(), requestTerms?: Terms) {
    this.#answer = answer;
    this.#requestTerms = requestTerms;
  }

  /** Takes the `usage` of a stream's start: its output is a placeholder. */
  begin(usage: unknown): void {
    this.add(usage);
    this.#isOutputTold = false;
  }

  /** Takes a `usage` object, if it is one. */
  add(told: unknown): void {
    if (!isJsonObject(told)) return;
    const named = withFormatNames(told);
    const usage = named["prompt_tokens"] === undefined ? named : withOwnNames(named);
    this.#known = true;
    this.#isOutputTold ||= toTokens(usage["output_tokens"]) > 0;
    const tellsPrompt = PROMPT.some((name) => toTokens(usage[name]) > 0);
    for (const [name, value] of Object.entries(usage)) {
      // A prompt does not become nothing: servers count it at the start, and fill in zeros at the end.
      const isFilledIn = value === 0 && !tellsPrompt && PROMPT.includes(name);
      if (value !== null && !(isFilledIn && toTokens(this.#members.get(name)) > 0)) this.#members.put(name, value);
    }
  }

  /** Tokens as far as they are known; undefined if the upstream has not said anything. */
  get usage(): Usage | undefined {
    if (!this.#known) return undefined;
    const members = this.#members.all;
    const terms = readTerms([members, this.#answer.all], this.#requestTerms);
    return toUsage(members, terms, this.model);
  }

  /** Tokens as an answer that fails told them; undefined where nothing but the start's placeholder tells its output. */
  get told(): Usage | undefined {
    return this.#isOutputTold ? this.usage : undefined;
  }

  /** Tokens at the end of the answer; no output where none but the start's placeholder was told. */
  get final(): Usage | undefined {
    const { usage } = this;
    return usage === undefined || this.#isOutputTold ? usage : { ...usage, outputTokens: 0 };
  }
}

/** Some bridges count by the names of Chat, whose prompt holds what a cache held and was given. */
function withOwnNames(usage: JsonObject): JsonObject {
  const { prompt_tokens: prompt, completion_tokens: output, prompt_tokens_details: inPrompt, ...others } = usage;
  const { completion_tokens_details: inOutput, ...rest } = others;
  const { reasoning_tokens: reasoning, ...ofOutput } = toObject(inOutput);
  const counts = readUsage({ prompt, output, reasoning, usage: rest, details: isJsonObject(inPrompt) ? inPrompt : {} });
  const { inputTokens, outputTokens, cacheReadTokens: read, cacheWriteTokens: written, reasoningTokens } = counts;
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    ...(read > 0 && { cache_read_input_tokens: read }),
    ...(written > 0 && { cache_creation_input_tokens: written }),
    ...(reasoningTokens !== undefined && { output_tokens_details: { thinking_tokens: reasoningTokens } }),
    ...(Object.keys(ofOutput).length > 0 && { completion_tokens_details: ofOutput }),
    ...rest,
  };
}

function toUsage(members: JsonObject, terms: Terms, model: string): Usage {
  const written = members["cache_creation"];
  const details = members["output_tokens_details"];
  const outside = readOutsideIterations(members, model);
  const fiveMinutes = getTokens(written, "ephemeral_5m_input_tokens") + (outside?.fiveMinutes ?? 0);
  const oneHour = getTokens(written, "ephemeral_1h_input_tokens") + (outside?.oneHour ?? 0);
  const thinking = isJsonObject(details) ? details["thinking_tokens"] : undefined;
  const count = (name: (typeof COUNTS)[number]): number => toTokens(members[name]) + (outside?.counts[name] ?? 0);
  const [output, thought] = [count("output_tokens"), toTokens(thinking)];
  const hasTotal = members["cache_creation_input_tokens"] !== undefined;
  return create(UsageSchema, {
    inputTokens: count("input_tokens"),
    cacheReadTokens: count("cache_read_input_tokens"),
    cacheWriteTokens: hasTotal ? count("cache_creation_input_tokens") : fiveMinutes + oneHour,
    cacheWrite5mTokens: fiveMinutes,
    cacheWrite1hTokens: oneHour,
    // What was thought is part of the output, unless it is more.
    outputTokens: toTokens(output + (thought > output ? thought : 0)),
    reasoningTokens: thinking === undefined || thinking === null ? undefined : thought,
    extension: messagesJson(outside === undefined ? extraOf(members) : withOwnCounts(members)),
    billing: readBilling({
      ...terms,
      toolCalls: countsBySuffix(members["server_tool_use"], "_requests"),
      otherModels: outside?.otherModels,
    }),
  });
}

function getTokens(counts: unknown, name: string): number {
  return isJsonObject(counts) ? toTokens(counts[name]) : 0;
}

/** Keeps the counts as they were told beside those that the hub has no field for. */
function withOwnCounts(members: JsonObject): JsonObject {
  const ownCounts = OWN_COUNTS.filter((name) => members[name] !== undefined).map((name) => [name, members[name]]);
  return { ...extraOf(members), ...Object.fromEntries(ownCounts) };
}

/** Returns the counts that the hub has no field for; undefined if there are none. */
function extraOf(members: JsonObject): JsonObject | undefined {
  const extra = extraMembers(members, KNOWN);
  const written = extraInside(members["cache_creation"], WRITTEN);
  const details = extraInside(members["output_tokens_details"], DETAILS);
  if (written === undefined && details === undefined) return extra;
  return {
    ...extra,
    ...(written && { cache_creation: written }),
    ...(details && { output_tokens_details: details }),
  };
}

function extraInside(value: unknown, known: ReadonlySet<string>): JsonObject | undefined {
  return isJsonObject(value) ? extraMembers(value, known) : undefined;
}
