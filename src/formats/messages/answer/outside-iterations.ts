import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import { toTokens } from "../../shared/read-usage.ts";

/** Counts of a pass of a model over a conversation, in the members of a usage. */
export const COUNTS = [
  "input_tokens",
  "output_tokens",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
] as const;

/** The members that tell otherwise than they are billed where passes stand outside of them. */
export const OWN_COUNTS = [...COUNTS, "cache_creation"] as const;

/** The tokens of passes that stand outside of the sums. */
export interface OutsideIterations {
  readonly counts: Readonly<Record<(typeof COUNTS)[number], number>>;
  readonly fiveMinutes: number;
  readonly oneHour: number;
  /** Models of passes that another model than the answer's made, which have prices of their own. */
  readonly otherModels: readonly string[];
}

/**
 * Reads the passes of `usage.iterations` that are billed and in none of the top-level counts: compactions, and whatever
 * else is no message. Source: Anthropic's documentation of compaction. Undefined where there are none.
 */
export function readOutsideIterations(usage: JsonObject, model: string): OutsideIterations | undefined {
  const { iterations } = usage;
  if (!Array.isArray(iterations)) return undefined;
  const passes = iterations.filter(isJsonObject);
  const outside = passes.filter(({ type }) => type !== "message");
  if (outside.length === 0 || COUNTS.every((name) => sum(passes, name) === toTokens(usage[name]))) return undefined;
  const isOther = (pass: JsonObject) => typeof pass["model"] === "string" && pass["model"] !== model && model !== "";
  const [own, others] = [outside.filter((pass) => !isOther(pass)), outside.filter(isOther)];
  const written = own.map(({ cache_creation: creation }) => (isJsonObject(creation) ? creation : {}));
  return {
    counts: {
      input_tokens: sum(own, "input_tokens"),
      output_tokens: sum(own, "output_tokens"),
      cache_creation_input_tokens: sum(own, "cache_creation_input_tokens"),
      cache_read_input_tokens: sum(own, "cache_read_input_tokens"),
    },
    fiveMinutes: sum(written, "ephemeral_5m_input_tokens"),
    oneHour: sum(written, "ephemeral_1h_input_tokens"),
    otherModels: [...new Set(others.map(({ model: name }) => String(name)))],
  };
}

function sum(passes: readonly JsonObject[], name: string): number {
  return passes.reduce((total, pass) => total + toTokens(pass[name]), 0);
}
