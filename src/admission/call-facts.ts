import { create } from "@bufbuild/protobuf";
import { type CallFacts, CallFactsSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { headerError } from "../hub/header-error.ts";
import { CACHE_KEY_SOURCE } from "../hub/sessions.ts";
import { headerText } from "../lib/header-text.ts";
import { hiddenCharacterProblem } from "../lib/hidden-characters.ts";
import { MAX_CALL_ID_LENGTH, tagProblem } from "../vocabulary/call-names.ts";
import { MAX_TAGS } from "../vocabulary/key-tags.ts";

/**
 * Headers in which agents send their session unasked: Claude Code, Codex, pi, opencode; the last is the older form of
 * Codex.
 */
const AGENT_HEADERS = ["x-claude-code-session-id", "session-id", "session_id", "x-session-id", "conversation_id"];
/** Headers in which the subagents of opencode and of Codex name their parent. */
const PARENT_HEADERS = ["x-parent-session-id", "x-codex-parent-thread-id"];
/** Agents that make a cache key for each session; applications set one for everybody. */
const KEYED_AGENT = /^(?:codex|pi)(?![a-z0-9])/i;

/** The facts of a request that say which session, end user and tags it has. */
export interface FactSources {
  /** Returns the text of a header. */
  readonly get: (name: string) => string | undefined;
  /** Headers beyond the known ones that name the session. */
  readonly sessionHeaders: readonly string[];
  /** The caller's own labels, as they came. */
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  /** Members that may name the end user; the first that does counts. */
  readonly endUsers: readonly unknown[];
  readonly promptCacheKey: string | undefined;
  /** The facts that the request's message has. */
  readonly given?: CallFacts | undefined;
}

/** Reads the facts by which a call is found and counted; undefined where there are none. Throws INVALID_REQUEST. */
export function readCallFacts(sources: FactSources): CallFacts | undefined {
  const { given, metadata } = sources;
  const get = (name: string): string | undefined => {
    const text = sources.get(name);
    return text === undefined ? undefined : headerText(text);
  };
  const endUser = splitEndUser(sources.endUsers.find(isId));
  const sessions = [...sessionsOf({ ...sources, get }, endUser.sessionId)];
  const [session] = sessions;
  const parent =
    readIdHeader("attune-parent-session", get) ?? orAbsent(given?.parentSessionId) ?? firstHeader(PARENT_HEADERS, get);
  const user = readIdHeader("attune-user", get) ?? orAbsent(given?.endUserId) ?? endUser.id;
  let tags: Tags | undefined = readTags({ header: get("attune-tags"), given: given?.tags, metadata });
  for (const [source, id] of sessions) if (id !== session?.[1]) tags = withTag(tags, source, id);
  if (session === undefined && parent === undefined && user === undefined && tags === undefined) return undefined;
  const [sessionSource = "", sessionId = ""] = session ?? [];
  const known = { sessionId, sessionSource, parentSessionId: parent ?? "", endUserId: user ?? "", tags: tags ?? {} };
  return create(CallFactsSchema, known);
}

/** The ids of sessions that a request names, each with its source; the first one counts. */
function* sessionsOf(sources: FactSources, ofEndUser: string | undefined): Generator<readonly [string, string]> {
  const { get, given, metadata, promptCacheKey } = sources;
  const header = readIdHeader("attune-session", get);
  if (header !== undefined) yield ["attune-session", header];
  if (given !== undefined && given.sessionId !== "") yield ["session_id", given.sessionId];
  const named = metadata?.["session_id"];
  if (isId(named)) yield ["metadata.session_id", named];
  for (const name of [...sources.sessionHeaders, ...AGENT_HEADERS]) {
    const id = get(name);
    if (id !== undefined && isId(id)) yield [name, id];
  }
  if (ofEndUser !== undefined) yield ["metadata.user_id", ofEndUser];
  if (isId(promptCacheKey) && KEYED_AGENT.test(get("user-agent") ?? "")) yield [CACHE_KEY_SOURCE, promptCacheKey];
}

/** Claude Code's end user: `user_HASH_account_UUID_session_UUID`, or a JSON object in newer versions. */
function splitEndUser(text: string | undefined): { readonly id?: string; readonly sessionId?: string } {
  if (text === undefined) return {};
  const [, id, sessionId] = /^(user_\w*?)_session_([\w-]+)$/.exec(text) ?? [];
  if (id !== undefined && sessionId !== undefined) return { id: id.replace(/_account_$/, ""), sessionId };
  if (!text.startsWith('{"') || !text.includes('"session_id"')) return { id: text };
  return readJsonUser(text) ?? { id: text };
}

function readJsonUser(text: string): { readonly id?: string; readonly sessionId?: string } | undefined {
  try {
    const { account_uuid, device_id, session_id } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const id = [account_uuid, device_id].find(isId);
    return { ...(id !== undefined && { id }), ...(isId(session_id) && { sessionId: session_id }) };
  } catch {
    return undefined;
  }
}

/** Returns the text of a header that is sent for Attune alone. Throws INVALID_REQUEST for one that is no id. */
function readIdHeader(name: string, get: FactSources["get"]): string | undefined {
  const text = get(name);
  if (text === undefined || isId(text)) return text;
  const problem = text === "" ? "must not be empty" : hiddenCharacterProblem(text);
  throw headerError(name, problem ?? `must have at most ${MAX_CALL_ID_LENGTH} characters`);
}

/** Returns the first header that can be an id: a wrong one is left out, since agents send them unasked. */
function firstHeader(names: readonly string[], get: FactSources["get"]): string | undefined {
  for (const name of names) {
    const text = get(name);
    if (text !== undefined && isId(text)) return text;
  }
  return undefined;
}

function orAbsent(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

function isId(value: unknown): value is string {
  return (
    typeof value === "string" &&
    value !== "" &&
    value.length <= MAX_CALL_ID_LENGTH &&
    hiddenCharacterProblem(value) === undefined
  );
}

/** Labels of a call by their names. */
type Tags = Readonly<Record<string, string>>;

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
