import type { ServerFacts } from "../../catalog/facts.ts";
import { NO_PARAMETERS } from "./fit-openai-schema.ts";
import { definedMembers, type JsonObject, parseJson } from "./json.ts";

/** Says nothing that an absent member does not say. */
const EMPTY: Readonly<Record<ServerFacts["functionMembers"][number], () => unknown>> = {
  description: () => "",
  parameters: () => parseJson(NO_PARAMETERS),
};

/** Returns the members of a function, with empty ones for those that the server refuses it without. */
export function withDemanded(
  members: JsonObject,
  { functionMembers }: Pick<ServerFacts, "functionMembers">,
): JsonObject {
  const defined = definedMembers(members);
  for (const name of functionMembers) defined[name] ??= EMPTY[name]();
  return defined;
}
