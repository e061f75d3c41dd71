import { tagProblem } from "../hub/call-names.ts";
import { headerError } from "../hub/header-error.ts";
import { MAX_TAGS } from "../hub/key-tags.ts";

/** Labels of a call by their names. */
export type Tags = Readonly<Record<string, string>>;

/** Members of metadata that say who calls, and are no labels. */
const NO_LABELS: ReadonlySet<string> = new Set(["session_id", "user_id"]);

/**
 * Reads the tags of a call: those of the header, which reads `team=search, env=prod`, those of the message, and the
 * texts among its metadata; undefined where there are none. Throws INVALID_REQUEST.
 */
export function readTags(sources: {
  readonly header: string | undefined;
  readonly given: Tags | undefined;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
}): Tags | undefined {
  let tags: Tags | undefined;
  if (sources.header !== undefined) tags = parseHeader(sources.header);
  for (const [name, value] of Object.entries(sources.given ?? {})) tags = withTag(tags, name, value);
  for (const [name, value] of Object.entries(sources.metadata ?? {})) {
    if (!NO_LABELS.has(name) && typeof value === "string") tags = withTag(tags, name, value);
  }
  return tags;
}

/** Adds a tag that has room, may be one, and is not there yet. */
export function withTag(tags: Tags | undefined, name: string, value: string): Tags | undefined {
  if (tagProblem(name, value) !== undefined || (tags !== undefined && Object.hasOwn(tags, name))) return tags;
  if (tags !== undefined && Object.keys(tags).length >= MAX_TAGS) return tags;
  return { ...tags, [name]: value };
}

function parseHeader(text: string): Tags {
  const pairs = text.split(",").map((pair) => pair.trim());
  if (pairs.length > MAX_TAGS)
    throw headerError("attune-tags", `must have at most ${MAX_TAGS} tags, not ${pairs.length}`);
  const tags = new Map<string, string>();
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    if (at < 1) throw headerError("attune-tags", "must be names with values: team=search, env=prod");
    const [name, value] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    const problem = tags.has(name) ? "occurs twice" : tagProblem(name, value);
    if (problem !== undefined) throw headerError("attune-tags", `a tag ${problem}`);
    tags.set(name, value);
  }
  return Object.fromEntries(tags);
}
