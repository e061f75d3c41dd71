import { create } from "@bufbuild/protobuf";
import { Dialect, type Message, type Tool, ToolSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { InferenceError } from "../../../hub/error.ts";
import type { HubInput } from "../../../hub/input.ts";
import { saysNothing } from "../is-default-value.ts";
import { createPlaceFinder, type PlacedTool } from "../tool-forms/rewritten-input.ts";
import { FlatNames, type NamespacedName, toolNamePattern } from "./flat-names.ts";
import { flattenChoice } from "./flatten-choice.ts";
import { calledTools, flattenMessages } from "./flatten-messages.ts";
import { type Namespace, readNamespace } from "./read-namespace.ts";

/** The names that an upstream takes for tools. */
interface ToolNameRules {
  readonly maxLength: number;
  /** True if its format has namespaces: callers of that format name tools as they like; absent: no. */
  readonly hasNamespaces?: boolean;
}

/** A request whose tools have names that the upstream takes, and stand in no namespaces that it does not know. */
export interface FlatInput {
  readonly input: HubInput;
  readonly names: FlatNames;
  /** Parts of the namespaces that tools without them cannot carry, by their places in the caller's request. */
  readonly losses: readonly string[];
  /** Returns where something stands in the caller's request, which has fewer tools. */
  readonly placeOf: (place: string) => string;
}

/** Tools that a request may have, as the rules of its proto say for those without a namespace. */
const MAX_TOOLS = 4096;

/**
 * Gives the tools of a request names that the upstream takes, in the list of tools, in the choice and in the
 * conversation's calls: those in namespaces where its format has none, and those whose names are too long or hold other
 * characters. Undefined if there are none. Throws INVALID_REQUEST for a tool that cannot be read.
 */
export function flattenInput(input: HubInput, rules: ToolNameRules): FlatInput | undefined {
  const { maxLength, hasNamespaces = false } = rules;
  if (hasNamespaces && input.dialect === Dialect.RESPONSES) return undefined;
  const read = input.tools.map((tool, index) => {
    return { tool, namespace: hasNamespaces ? undefined : readNamespace(tool, `tools[${index}]`) };
  });
  const called = hasNamespaces ? [] : calledTools(input.messages);
  const plain = new Set([...input.tools.flatMap(getName), ...input.messages.flatMap(plainCalls)]);
  const { taken, unfit } = splitNames(plain, maxLength);
  if (unfit.length + called.length === 0 && read.every(({ namespace }) => namespace === undefined)) return undefined;
  const namespaces = read.flatMap(({ namespace }) => namespace ?? []);
  checkCount(namespaces.reduce((total, { tools }) => total + tools.length, input.tools.length));
  const namespaced = namespaces.flatMap(getTools);
  const names = new FlatNames([...namespaced, ...called, ...unfit], { taken, maxLength });
  const losses: string[] = [];
  const { toolChoice: wanted } = input;
  const toolChoice = wanted && flattenChoice(wanted, { names, namespaced, taken });
  const isAllowed = allowedBy(toolChoice?.allowedNames ?? []);
  const placed = read.flatMap(({ tool, namespace }, index): PlacedTool[] => {
    const path = `tools[${index}]`;
    if (namespace === undefined) return [{ tool: renamePlain(tool, names), path }];
    for (const [name, value] of Object.entries(namespace.rest ?? {}))
      if (!saysNothing(name, value)) losses.push(`${path}.extension.${name}`);
    if (namespace.tools.length === 0) losses.push(path);
    const flat = flattenNamespace(namespace, { names, losses });
    return describe(flat, namespace, isAllowed);
  });
  const tools = latest(placed);
  const flat: HubInput = {
    ...input,
    ...(toolChoice && { toolChoice }),
    messages: flattenMessages(input.messages, names),
    tools: tools.map(({ tool }) => tool),
  };
  return { input: flat, names, losses, placeOf: createPlaceFinder(tools) };
}

/** Splits the names of tools without a namespace into those that the upstream takes, and the others. */
function splitNames(plain: ReadonlySet<string>, maxLength: number) {
  const pattern = toolNamePattern(maxLength);
  const unfit = [...plain].filter((name) => name !== "" && !pattern.test(name));
  const taken = new Set(plain);
  for (const name of unfit) taken.delete(name);
  return { taken, unfit: unfit.map((name): NamespacedName => ({ namespace: undefined, name })) };
}

function renamePlain(tool: Tool, names: FlatNames): Tool {
  const [name] = getName(tool).flatMap((own) => names.flat({ namespace: undefined, name: own }) ?? []);
  return name === undefined ? tool : rewritten(tool, { name });
}

function checkCount(tools: number): void {
  if (tools <= MAX_TOOLS) return;
  throw InferenceError.invalid(
    "tools",
    `must be ${MAX_TOOLS} at most, including namespaces and their tools, not ${tools}`,
  );
}

function getName({ kind }: Tool): string[] {
  return kind.case === "function" || kind.case === "custom" ? [kind.value.name] : [];
}

function getTools({ name: namespace, tools }: Namespace): NamespacedName[] {
  return tools.flatMap(({ tool, name }) => (tool === undefined ? [] : [{ namespace, name }]));
}

/** Names that the conversation calls tools by which may have no definition any more. */
function plainCalls(message: Message): string[] {
  if (calledTools([message]).length > 0) return [];
  return message.content.flatMap(({ kind }) => (kind.case === "toolUse" ? [kind.value.name] : []));
}

interface Flattening {
  readonly names: FlatNames;
  readonly losses: string[];
}

function flattenNamespace({ name, tools }: Namespace, { names, losses }: Flattening): PlacedTool[] {
  const seen = new Set<string>();
  return tools.flatMap((inner): PlacedTool[] => {
    const flat = names.flat({ namespace: name, name: inner.name });
    if (inner.tool === undefined || flat === undefined) {
      losses.push(inner.path);
      return [];
    }
    if (seen.has(flat)) {
      const problem = `has the name '${inner.name}', which another tool of the namespace has too`;
      throw InferenceError.invalid(inner.path, problem);
    }
    seen.add(flat);
    return [{ tool: rewritten(inner.tool, { name: flat }), path: inner.path }];
  });
}

/**
 * A namespace may come again in the course of a conversation: the latest definition of a tool is the one that holds.
 */
function latest(placed: readonly PlacedTool[]): PlacedTool[] {
  const tools = new Map<unknown, PlacedTool>();
  for (const each of placed) tools.set(getName(each.tool)[0] ?? each, each);
  return [...tools.values()];
}

function rewritten(tool: Tool, changes: { readonly name?: string; readonly description?: string }): Tool {
  const { kind } = tool;
  if (kind.case === "function")
    return create(ToolSchema, { ...tool, kind: { case: kind.case, value: { ...kind.value, ...changes } } });
  if (kind.case === "custom")
    return create(ToolSchema, { ...tool, kind: { case: kind.case, value: { ...kind.value, ...changes } } });
  return tool;
}

function allowedBy(names: readonly string[]): (tool: Tool) => boolean {
  const allowed = new Set(names);
  return (tool) => allowed.size === 0 || getName(tool).some((name) => allowed.has(name));
}

/**
 * Says of the first tool that the model is told of what its namespace is about: once, for a description may be long.
 */
function describe(tools: PlacedTool[], namespace: Namespace, isAllowed: (tool: Tool) => boolean): PlacedTool[] {
  const { name, description } = namespace;
  if (description === undefined || description === "") return tools;
  const allowed = tools.filter(({ tool }) => isAllowed(tool));
  const first = allowed.find(({ tool }) => tool.kind.case === "function") ?? allowed[0];
  return tools.map((placed) => {
    const { kind } = placed.tool;
    if (placed !== first || kind.case === undefined || kind.case === "opaque") return placed;
    const about = `${name}: ${description}`;
    const own = kind.value.description;
    const whole = own === undefined || own === "" ? about : `${about}\n\n${own}`;
    return { ...placed, tool: rewritten(placed.tool, { description: whole }) };
  });
}
