import { Dialect, type RawJson } from "../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../gen/attune/inference/v1/inference_pb.ts";
import type { HubInput } from "./input.ts";

/** Members by which a request has something kept or done at the provider. */
const ACTING = ["store", "background", "container", "conversation", "mcp_servers", "web_search_options"] as const;

/** Tells whether a request leaves nothing of its answer to chance: at temperature 0, or with a seed. */
export function isDeterministic({ temperature, extension }: InferenceInput): boolean {
  if (temperature === 0) return true;
  return extension?.json.includes('"seed"') === true && (getMembers(extension)["seed"] ?? undefined) !== undefined;
}

/** Tells whether a request has the provider do or keep something beside its answer: it is not to be sent twice. */
export function actsAtProvider({ tools, extension }: InferenceInput): boolean {
  if (tools.some(({ kind }) => kind.case === "opaque")) return true;
  const members = getMembers(extension);
  return ACTING.some((name) => Boolean(members[name]));
}

/** The members of the request that the hub does not model: an object, whoever wrote it. */
function getMembers(extension: RawJson | undefined): Readonly<Record<string, unknown>> {
  return extension === undefined ? {} : (JSON.parse(extension.json) as Record<string, unknown>);
}

/**
 * Tells whether an inference is to be stored: as a thread has to be, as its caller said, or as its dialect does for
 * those who do not say.
 */
export function isStored({ store, thread, dialect }: Pick<HubInput, "store" | "thread" | "dialect">): boolean {
  return thread || (store ?? (dialect === Dialect.RESPONSES || dialect === Dialect.UNSPECIFIED));
}
