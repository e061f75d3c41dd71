import { create } from "@bufbuild/protobuf";
import { type BillingFacts, BillingFactsSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { isStandardTerm } from "../../hub/standard-terms.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import { toTokens } from "./read-usage.ts";

/** Most characters of a word that is kept of an upstream. */
const MOST_CHARACTERS = 64;
/** Most tools and models that are kept of one answer. */
const MOST_NAMES = 20;

/** The facts as an upstream tells them; what is no text, count or map says nothing. */
export interface ReportedBilling {
  readonly serviceTier?: unknown;
  readonly speed?: unknown;
  readonly region?: unknown;
  readonly cacheWrite12h?: unknown;
  readonly audioInput?: unknown;
  readonly audioCacheRead?: unknown;
  readonly audioOutput?: unknown;
  readonly imageInput?: unknown;
  readonly imageOutput?: unknown;
  readonly toolCalls?: Readonly<Record<string, unknown>> | undefined;
  readonly otherModels?: readonly string[] | undefined;
}

/** Reads what changes the cost of an answer beside its counts; undefined where nothing does. */
export function readBilling(reported: ReportedBilling): BillingFacts | undefined {
  const words = {
    serviceTier: readWord(reported.serviceTier),
    speed: readWord(reported.speed),
    region: readWord(reported.region),
  };
  const counts = {
    cacheWrite12hTokens: toTokens(reported.cacheWrite12h),
    audioInputTokens: toTokens(reported.audioInput),
    audioCacheReadTokens: toTokens(reported.audioCacheRead),
    audioOutputTokens: toTokens(reported.audioOutput),
    imageInputTokens: toTokens(reported.imageInput),
    imageOutputTokens: toTokens(reported.imageOutput),
  };
  const toolCalls = readToolCalls(reported.toolCalls);
  const otherModels = reported.otherModels?.slice(0, MOST_NAMES).map(shorten) ?? [];
  const hasFacts = hasMember(words) || hasMember(counts) || toolCalls !== undefined || otherModels.length > 0;
  return !hasFacts
    ? undefined
    : create(BillingFactsSchema, { ...words, ...counts, toolCalls: toolCalls ?? {}, otherModels });
}

/** Returns whether a member says anything. */
function hasMember(members: Readonly<Record<string, string | number>>): boolean {
  for (const name in members) if (members[name] !== "" && members[name] !== 0) return true;
  return false;
}

function readWord(value: unknown): string {
  return typeof value === "string" && !isStandardTerm(value) ? shorten(value) : "";
}

function shorten(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?").slice(0, MOST_CHARACTERS);
}

function readToolCalls(calls: ReportedBilling["toolCalls"]): Record<string, number> | undefined {
  if (calls === undefined) return undefined;
  const counted = Object.entries(calls).flatMap(([name, value]) => {
    const count = toTokens(value);
    return count === 0 ? [] : [[shorten(name), count] as const];
  });
  return counted.length === 0 ? undefined : Object.fromEntries(counted.slice(0, MOST_NAMES));
}

/** Returns counts whose names end in a suffix by their names without it: `web_search_requests` is web_search. */
export function countsBySuffix(counts: unknown, suffix: string): Readonly<Record<string, unknown>> | undefined {
  if (!isJsonObject(counts)) return undefined;
  const named = Object.entries(counts).filter(([name]) => name.endsWith(suffix));
  return Object.fromEntries(named.map(([name, value]) => [name.slice(0, -suffix.length), value]));
}

/** Reads the sound and pictures among the counts of the OpenAI formats, by the details of prompt and answer. */
export function readMedia({ input, output, inputTokens }: MediaDetails): ReportedBilling {
  const cached = isJsonObject(input.cached_tokens_details) ? toTokens(input.cached_tokens_details.audio_tokens) : 0;
  const audio = toTokens(input.audio_tokens);
  // Where the parts of what a cache held are not told, only sound that cannot be new was in it.
  const audioCacheRead = Math.max(cached, audio - inputTokens, 0);
  return {
    audioInput: Math.max(0, audio - audioCacheRead),
    audioCacheRead,
    audioOutput: output.audio_tokens,
    imageInput: input.image_tokens,
    imageOutput: output.image_tokens,
  };
}

/** The details of the counts. */
export interface MediaDetails {
  readonly input: JsonObject;
  readonly output: JsonObject;
  /** Prompt tokens that no cache held. */
  readonly inputTokens: number;
}

/** Reads how long an OpenAI format's cache keeps what was written: the tokens for 12 hours. */
export function readLongWrites({ cache_write_tokens_details: details }: JsonObject): unknown {
  return isJsonObject(details) ? details.ttl_12h_tokens : undefined;
}
