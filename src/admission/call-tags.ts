import { headerError } from "../hub/header-error.ts";
import { hiddenCharacterProblem } from "../lib/hidden-characters.ts";

/** Labels of a call by their names. */
export type Tags = Readonly<Record<string, string>>;

const MAX_TAGS = 16;
const MAX_NAME_LENGTH = 64;
const MAX_VALUE_LENGTH = 200;
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
  if (problemOf(name, value) !== undefined || (tags !== undefined && Object.hasOwn(tags, name))) return tags;
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
    const problem = tags.has(name) ? "occurs twice" : problemOf(name, value);
    if (problem !== undefined) throw headerError("attune-tags", `a tag ${problem}`);
    tags.set(name, value);
  }
  return Object.fromEntries(tags);
}

function problemOf(name: string, value: string): string | undefined {
  if (name === "" || name.length > MAX_NAME_LENGTH) return `must have a name of 1 to ${MAX_NAME_LENGTH} characters`;
  if (value === "" || value.length > MAX_VALUE_LENGTH)
    return `must have a value of 1 to ${MAX_VALUE_LENGTH} characters`;
  // An own member of this name cannot be set on a plain object by assignment.
  if (name === "__proto__") return "must not be named __proto__";
  const problem = hiddenCharacterProblem(name) ?? hiddenCharacterProblem(value);
  return problem;
}
