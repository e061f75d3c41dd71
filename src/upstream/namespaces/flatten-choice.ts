import { create } from "@bufbuild/protobuf";
import { type ToolChoice, ToolChoiceMode, ToolChoiceSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { isJsonObject, type JsonObject } from "../../wire/json.ts";
import { readResponsesJson } from "../../wire/responses/raw-json.ts";
import type { FlatNames, NamespacedName } from "./flat-names.ts";

/** The tools that a choice may name. */
export interface NamedTools {
  readonly names: FlatNames;
  /** Those of namespaces, in the order of the request. */
  readonly namespaced: readonly NamespacedName[];
  /** Names of those without a namespace. */
  readonly taken: ReadonlySet<string>;
}

const MODES: Readonly<Record<string, ToolChoiceMode>> = {
  auto: ToolChoiceMode.AUTO,
  required: ToolChoiceMode.REQUIRED,
};

/** Names the tools of a choice as they are called without namespaces. */
export function flattenChoice(choice: ToolChoice, tools: NamedTools): ToolChoice {
  if (choice.mode === ToolChoiceMode.NAMED) {
    const [name = choice.name] = flatNamesOf({ type: "function", name: choice.name }, tools);
    return create(ToolChoiceSchema, { ...choice, name });
  }
  const own = readResponsesJson(choice.opaque);
  if (own?.["type"] !== "allowed_tools" || !Array.isArray(own["tools"])) return choice;
  const mode = MODES[String(own["mode"])];
  const allowedNames = own["tools"].filter(isJsonObject).flatMap((tool) => flatNamesOf(tool, tools));
  if (mode === undefined || allowedNames.length === 0) return choice;
  return create(ToolChoiceSchema, { mode, allowedNames });
}

/** The names of what a reference means: a tool, which may stand in a namespace that is not said, or all of a namespace. */
function flatNamesOf(reference: JsonObject, { names, namespaced, taken }: NamedTools): string[] {
  const { type, name, namespace } = reference;
  if (typeof name !== "string") return [];
  if (type !== "function" && type !== "custom" && type !== "namespace") return [];
  if (type !== "namespace" && namespace === undefined && taken.has(name)) return [name];
  const meant = namespaced.filter((tool) => {
    if (type === "namespace") return tool.namespace === name;
    return tool.name === name && (namespace === undefined || tool.namespace === namespace);
  });
  const isUnclear = type !== "namespace" && meant.length > 1;
  return isUnclear ? [] : meant.flatMap((tool) => names.flat(tool) ?? []);
}
