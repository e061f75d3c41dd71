import { create } from "@bufbuild/protobuf";
import {
  Dialect,
  type ToolChoice,
  ToolChoiceMode,
  ToolChoiceSchema,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { isJsonObject, type JsonObject, parseJsonObject } from "../json.ts";
import { readResponsesJson } from "../responses-json.ts";
import type { FlatNames, NamespacedName } from "./flat-names.ts";

/** The tools that a choice may name. */
interface NamedTools {
  readonly names: FlatNames;
  /** The names in namespaces, in the order of the request. */
  readonly namespaced: readonly NamespacedName[];
  /** Names of those without a namespace. */
  readonly taken: ReadonlySet<string>;
}

const MODES: Readonly<Record<string, ToolChoiceMode>> = {
  auto: ToolChoiceMode.AUTO,
  required: ToolChoiceMode.REQUIRED,
};

/** Names the tools of a choice as the upstream is told of them. */
export function flattenChoice(choice: ToolChoice, tools: NamedTools): ToolChoice {
  if (choice.mode === ToolChoiceMode.NAMED) {
    const [name = choice.name] = new Meanings(tools).of({ type: "function", name: choice.name });
    return create(ToolChoiceSchema, { ...choice, name });
  }
  const own = readResponsesJson(choice.opaque);
  if (own?.["type"] !== "allowed_tools" || !Array.isArray(own["tools"])) return renameAllowed(choice, tools.names);
  const meanings = new Meanings(tools);
  const mode = MODES[String(own["mode"])];
  const allowedNames = own["tools"].filter(isJsonObject).flatMap((tool) => meanings.of(tool));
  if (mode === undefined || allowedNames.length === 0) return choice;
  return create(ToolChoiceSchema, { mode, allowedNames });
}

/** Names allowed tools, also where the choice is kept as its format has it. */
function renameAllowed(choice: ToolChoice, names: FlatNames): ToolChoice {
  const rename = (name: string): string => names.flat({ namespace: undefined, name }) ?? name;
  const { opaque } = choice;
  const own = opaque?.dialect === Dialect.CHAT ? parseJsonObject(opaque.json) : undefined;
  const json = own && JSON.stringify(own, (key, value) => (key === "name" ? rename(String(value)) : value));
  return create(ToolChoiceSchema, {
    ...choice,
    allowedNames: choice.allowedNames.map(rename),
    ...(opaque && json !== undefined && { opaque: { ...opaque, json } }),
  });
}

/** The index of what references to tools mean, since both lists may be long. */
class Meanings {
  readonly #tools: NamedTools;
  readonly #byName = new Map<string, NamespacedName[]>();
  readonly #byNamespace = new Map<string, NamespacedName[]>();

  constructor(tools: NamedTools) {
    this.#tools = tools;
    for (const tool of tools.namespaced) {
      addTo(this.#byName, tool.name, tool);
      if (tool.namespace !== undefined) addTo(this.#byNamespace, tool.namespace, tool);
    }
  }

  /** The names of a tool, which may stand in a namespace that is not said, or of all tools of a namespace. */
  of({ type, name, namespace }: JsonObject): string[] {
    const { names, taken } = this.#tools;
    if (typeof name !== "string") return [];
    const flat = (tools: readonly NamespacedName[]): string[] => tools.flatMap((tool) => names.flat(tool) ?? []);
    if (type === "namespace") {
      const all = this.#byNamespace.get(name) ?? [];
      // Named again, it means nothing more.
      this.#byNamespace.delete(name);
      return flat(all);
    }
    if (type !== "function" && type !== "custom") return [];
    if (typeof namespace === "string") return flat([{ namespace, name }]);
    if (taken.has(name)) return [name];
    const own = flat([{ namespace: undefined, name }]);
    if (own.length > 0) return own;
    const meant = this.#byName.get(name) ?? [];
    return meant.length === 1 ? flat(meant) : [];
  }
}

function addTo(map: Map<string, NamespacedName[]>, key: string, tool: NamespacedName): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [tool]);
  else list.push(tool);
}
