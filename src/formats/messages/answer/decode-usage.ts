import { create } from "@bufbuild/protobuf";
import { type Usage, UsageSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { extraMembers } from "../../shared/extra-members.ts";
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import { LateMembers } from "../../shared/late-members.ts";
import { messagesJson } from "../raw-json.ts";

const KNOWN = new Set([
  "input_tokens",
  "output_tokens",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
  "cache_creation",
  "output_tokens_details",
]);

/** Gathers the usage of a stream: later values that are not null replace earlier ones, for they are totals. */
export class UsageSum {
  readonly #members = new LateMembers();
  #known = false;

  /** Takes a `usage` object, if it is one. */
  add(usage: unknown): void {
    if (!isJsonObject(usage)) return;
    this.#known = true;
    for (const [name, value] of Object.entries(usage)) if (value !== null) this.#members.put(name, value);
  }

  /** Tokens as far as they are known; undefined if the upstream has not said anything. */
  get usage(): Usage | undefined {
    return this.#known ? toUsage(this.#members.all) : undefined;
  }
}

function toUsage(members: JsonObject): Usage {
  const written = members["cache_creation"];
  const details = members["output_tokens_details"];
  const fiveMinutes = isJsonObject(written) ? count(written["ephemeral_5m_input_tokens"]) : 0;
  const oneHour = isJsonObject(written) ? count(written["ephemeral_1h_input_tokens"]) : 0;
  const thinking = isJsonObject(details) ? details["thinking_tokens"] : undefined;
  const total = members["cache_creation_input_tokens"];
  return create(UsageSchema, {
    inputTokens: count(members["input_tokens"]),
    cacheReadTokens: count(members["cache_read_input_tokens"]),
    cacheWriteTokens: total === undefined ? fiveMinutes + oneHour : count(total),
    cacheWrite5mTokens: fiveMinutes,
    cacheWrite1hTokens: oneHour,
    outputTokens: count(members["output_tokens"]),
    reasoningTokens: thinking === undefined || thinking === null ? undefined : count(thinking),
    extension: messagesJson(extraMembers(members, KNOWN)),
  });
}

/** A token count; anything else that stands in its place counts as none. */
function count(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 2147483647 ? value : 0;
}
