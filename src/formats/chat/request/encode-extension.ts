import { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { ServerFacts } from "../../../catalog/facts.ts";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../shared/json.ts";
import type { Translation } from "./translation.ts";

/** The members of `prompt_cache_options`. */
const CACHE_OPTIONS: ReadonlySet<string> = new Set(["mode", "ttl"]);

/**
 * Returns the members of the request that the hub does not model and this format has. Of a Responses caller's these are
 * the wishes for the cache, where the upstream is known to take them; all others are losses.
 */
export function encodeExtension(translation: Translation): JsonObject | undefined {
  const { input, losses, breakpoints } = translation;
  const { extension } = input;
  if (extension?.dialect !== Dialect.RESPONSES || !breakpoints.areKnown) return ownMembers(translation);
  losses.settle("extension");
  const same: JsonObject = {};
  for (const [name, value] of Object.entries(parseJsonObject(extension.json) ?? {})) {
    if (name === "prompt_cache_retention") same[name] = value;
    else if (name === "prompt_cache_options" && isJsonObject(value))
      same[name] = encodeCacheOptions(value, translation);
    else losses.said("", name, value);
  }
  return same;
}

/** Returns the members that only this format knows, and names those that the server does not take. */
function ownMembers({ input, losses, profile }: Translation): JsonObject | undefined {
  const own = losses.own(input.extension);
  if (own === undefined) return undefined;
  // The limit is said by one name where the server has one.
  if (profile.limitMember !== "as-called") delete own["max_tokens"];
  for (const name of refusedMembers(profile)) {
    if (own[name] === undefined) continue;
    losses.said("", name, own[name]);
    delete own[name];
  }
  return own;
}

function refusedMembers({ streamOptions, responseFormats }: ServerFacts): string[] {
  return [
    ...(streamOptions ? [] : ["stream_options"]),
    // Members of a format that the hub does not model stand here.
    ...(responseFormats.startsWith("json_schema") ? [] : ["response_format"]),
  ];
}

/** Here the options name one lifetime only; the breakpoints name the longer one too. */
function encodeCacheOptions(options: JsonObject, { losses }: Translation): JsonObject {
  const encoded: JsonObject = {};
  for (const [name, value] of Object.entries(options)) {
    const isTooLong = name === "ttl" && value === "12h";
    if (CACHE_OPTIONS.has(name)) encoded[name] = isTooLong ? "30m" : value;
    if (isTooLong || !CACHE_OPTIONS.has(name)) losses.member("", `prompt_cache_options.${name}`);
  }
  return encoded;
}
