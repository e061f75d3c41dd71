import { isJsonObject, type JsonObject } from "../../shared/json.ts";

/** Servers of the form before `tool_calls` answer with one call, which has no id. */
export function readOlderCall({
  function_call: call,
  tool_calls: calls,
}: JsonObject): readonly JsonObject[] | undefined {
  const isAlone = isJsonObject(call) && (!Array.isArray(calls) || calls.length === 0);
  return isAlone ? [{ index: 0, function: call }] : undefined;
}

/** The members that have the arguments of a call, by its type in Messages, in Responses and here. */
const ARGUMENTS: ReadonlyMap<unknown, string> = new Map([
  ["tool_use", "input"],
  ["function_call", "arguments"],
  ["function", "arguments"],
]);

/** Returns a call in the form of this format, where a server gives it the type or the members of another one. */
export function toOwnForm(call: JsonObject): JsonObject {
  const hasFunction = isJsonObject(call.function);
  const type = call.type ?? "function";
  if (hasFunction && type === "function") return call;
  const member = ARGUMENTS.get(type);
  if (member === undefined) return call;
  if (hasFunction) return { ...call, type: "function" };
  const { name, [member]: input, ...rest } = call;
  if (name === undefined && input === undefined) return call;
  return { ...rest, type: "function", function: { name, arguments: input } };
}
