import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import { INCLUDED_SOURCES } from "../members.ts";

/** Members of a request that the Response repeats. */
const ECHOED = new Set([
  ...["instructions", "max_output_tokens", "max_tool_calls", "parallel_tool_calls", "previous_response_id"],
  ...["prompt_cache_key", "reasoning", "safety_identifier", "service_tier", "store", "temperature", "text"],
  ...["tool_choice", "tools", "top_logprobs", "top_p", "truncation", "presence_penalty", "frequency_penalty"],
  ...["metadata", "user", "background", "conversation"],
]);

/** Returns what a request wants to have of the items of its answer. */
export function outputOptions({ include }: JsonObject): { readonly sources: boolean } {
  return { sources: Array.isArray(include) && include.includes(INCLUDED_SOURCES) };
}

/**
 * Returns what a Response repeats of a request, or goes by: all that `encodeResource` and `outputOptions` read of it.
 * Undefined if that is nothing.
 */
export function echoMembers(body: JsonObject): JsonObject | undefined {
  const members = Object.entries(body).filter(([name, value]) => ECHOED.has(name) && value !== null);
  if (outputOptions(body).sources) members.push(["include", [INCLUDED_SOURCES]]);
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** The outcome members of a Response. */
export interface Outcome {
  readonly status: "queued" | "in_progress" | "completed" | "incomplete" | "failed" | "cancelled";
  /** Seconds since 1970; null unless completed. */
  readonly completedAt: number | null;
  readonly error: JsonObject | null;
  readonly incompleteDetails: JsonObject | null;
  readonly output: readonly JsonObject[];
  readonly usage: JsonObject | null;
  /** Members that only an upstream of this format knows: what it really did stands above what was asked of it. */
  readonly extension?: JsonObject | undefined;
}

/** The identity of a Response. */
export interface ResponseIdentity {
  readonly id: string;
  readonly model: string;
  /** Seconds since 1970. */
  readonly createdAt: number;
}

/**
 * Encodes a Response object. It repeats the request's members; where the request left them out it says the format's own
 * defaults, which are what the object must hold and not what was sent upstream. Numbers are numbers, never null.
 */
export function encodeResource(body: JsonObject, identity: ResponseIdentity, outcome: Outcome): JsonObject {
  const resource: JsonObject = {
    id: identity.id,
    object: "response",
    created_at: identity.createdAt,
    completed_at: outcome.completedAt,
    status: outcome.status,
    background: body.background ?? false,
    error: outcome.error,
    incomplete_details: outcome.incompleteDetails,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    model: identity.model,
    output: outcome.output,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    reasoning: { effort: null, summary: null, ...asObject(body.reasoning) },
    safety_identifier: body.safety_identifier ?? null,
    service_tier: body.service_tier ?? "default",
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: { format: { type: "text" }, ...withoutNulls(asObject(body.text)) },
    tool_choice: body.tool_choice ?? "auto",
    tools: Array.isArray(body.tools) ? body.tools.map(encodeTool) : [],
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? "disabled",
    presence_penalty: body.presence_penalty ?? 0,
    frequency_penalty: body.frequency_penalty ?? 0,
    usage: outcome.usage,
    metadata: body.metadata ?? {},
  };
  if (body.conversation !== undefined && body.conversation !== null) {
    resource.conversation = isJsonObject(body.conversation) ? { id: body.conversation.id } : { id: body.conversation };
  }
  // The specification has `user` as a string or not at all.
  if (typeof body.user === "string") resource.user = body.user;
  return outcome.extension === undefined ? resource : withExtension(resource, outcome.extension);
}

/** A null of the upstream does not take the place of a value; `user: null` is no member of the format. */
function withExtension(resource: JsonObject, extension: JsonObject): JsonObject {
  for (const [name, value] of Object.entries(extension)) {
    if (value !== null || (resource[name] === undefined && name !== "user")) resource[name] = value;
  }
  return resource;
}

/** The specification wants these keys on every function tool. */
function encodeTool(tool: unknown): unknown {
  if (!isJsonObject(tool) || tool.type !== "function") return tool;
  return {
    ...tool,
    description: tool.description ?? null,
    parameters: tool.parameters ?? null,
    strict: tool.strict ?? null,
  };
}

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function withoutNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}
