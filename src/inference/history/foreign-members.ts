import type { RawJson } from "../../../gen/attune/content/v1/content_pb.ts";
import { LATE_ITEM_MEMBERS } from "../../hub/late-item-members.ts";
import { isObject } from "../../lib/is-object.ts";

/**
 * The members about the service that answered, or about an item's status: true of every answer, and kept in the record.
 */
const OF_SERVICE = [
  ...["system_fingerprint", "service_tier", "speed", "inference_geo", "billing", "status"],
  ...["serviceTier", "performanceConfig"],
];

/** Members of a Response that repeat the request. */
const OF_REQUEST = [
  ...[
    "reasoning",
    "temperature",
    "top_p",
    "top_logprobs",
    "truncation",
    "presence_penalty",
    "frequency_penalty",
    "user",
  ],
  ...["max_tool_calls", "prompt", "prompt_cache_options", "prompt_cache_retention", "access_programs", "stop"],
];

const SILENT: ReadonlySet<string> = new Set([...OF_SERVICE, ...OF_REQUEST]);

/** Objects whose members are named each for itself. */
const TAKEN_APART = /^(?:message|usage|.*_details)$/;

/** Lists the members of an answer's extension that say something of the answer, below `path`. */
export function foreignMembers(raw: RawJson, path: string): string[] {
  const parsed: unknown = JSON.parse(raw.json);
  return isObject(parsed) ? listMembers(parsed, path) : [];
}

function listMembers(members: Readonly<Record<string, unknown>>, path: string): string[] {
  return Object.entries(members).flatMap(([name, value]) => {
    // What the item says of itself late stands among the members of its block.
    if (name === LATE_ITEM_MEMBERS && isObject(value)) return listMembers(value, path);
    const place = `${path}.${name}`;
    if (name === "choices" && Array.isArray(value)) {
      return value.flatMap((choice, index) => (isObject(choice) ? listMembers(choice, `${place}[${index}]`) : []));
    }
    if (isObject(value) && TAKEN_APART.test(name)) return listMembers(value, place);
    return SILENT.has(name) || saysNothing(name, value) ? [] : [place];
  });
}

/** Empty values, counts of nothing, and what a call, or the explanation of an end, is if nothing else is said of it. */
function saysNothing(name: string, value: unknown): boolean {
  if (value === null || value === "" || value === 0) return true;
  if (name === "caller") return isObject(value) && value["type"] === "direct";
  if (name === "type") return value === "refusal";
  return typeof value === "object" && Object.values(value).every((member) => saysNothing("", member));
}
