import { create } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  ContentBlockSchema,
  Dialect,
  type Message,
  MessageSchema,
  type RawJson,
  type Tool,
  ToolSchema,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import type { HubInput } from "../../../hub/input.ts";
import { isJsonObject, type JsonObject, lookAtJsonObject, parseJsonObject, toText } from "../json.ts";
import { functionsText } from "./functions-text.ts";
import { newTool } from "./new-parts.ts";
import { createPlaceFinder, type PlacedTool, type RewrittenInput } from "./rewritten-input.ts";
import { areToolsOwn, type ToolRules } from "./tool-rules.ts";

/** Types of the searches for tools that a provider runs. */
const HOSTED_SEARCH = /^tool_search(?:_tool_|$)/;

/** Formats whose callers may refer to tools; those of the RPC API may send what any of them has. */
const MAY_REFER: ReadonlySet<Dialect> = new Set([Dialect.MESSAGES, Dialect.UNSPECIFIED]);

const NONE: ReadonlyMap<ContentBlock, string[]> = new Map();

/**
 * Keeps deferred tools from upstreams whose format has no such thing until the conversation has found them, and writes
 * the schemas of those that were found where references to them stand. Where the provider would have searched, the
 * upstream gets all of them. Undefined where there is nothing to do.
 */
export function deferTools(input: HubInput, rules: ToolRules): RewrittenInput | undefined {
  if (areToolsOwn(input, rules)) return undefined;
  const references = MAY_REFER.has(input.dialect) ? getReferences(input.messages) : NONE;
  const deferred = input.tools.map(isDeferred);
  const search = input.tools.findIndex(isHostedSearch);
  if (references.size === 0 && search === -1 && !deferred.includes(true)) return undefined;
  const isAll = search !== -1 || deferred.every(Boolean);
  const placed = input.tools.flatMap((tool, index): (PlacedTool & { readonly isDeferred: boolean })[] => {
    if (isHostedSearch(tool)) return [];
    const isDeferred = deferred[index] === true;
    return [{ tool: isDeferred ? loaded(tool) : tool, path: `tools[${index}]`, isDeferred }];
  });
  const tools = isAll ? placed : inOrderOfUse(placed, namesInUse(input, references));
  return {
    input: {
      ...input,
      tools: tools.map(({ tool }) => tool),
      messages: references.size === 0 ? input.messages : writeReferences(input, references),
    },
    losses: [],
    placeOf: createPlaceFinder(tools),
  };
}

function getName({ kind }: Tool): string {
  return kind.case === "function" || kind.case === "custom" ? kind.value.name : "";
}

function isDeferred({ kind, extension }: Tool): boolean {
  if (kind.case !== "function" && kind.case !== "custom") return false;
  return getLoading(extension)?.["defer_loading"] === true;
}

/** The members of a tool, if they may say when it is loaded. */
function getLoading(extension: RawJson | undefined): JsonObject | undefined {
  return extension?.json.includes('"defer_loading"') === true ? parseJsonObject(extension.json) : undefined;
}

function loaded(tool: Tool): Tool {
  const { extension, ...others } = tool;
  const { defer_loading: _deferred, ...members } = getLoading(extension) ?? {};
  const isEmpty = Object.keys(members).length === 0;
  return create(ToolSchema, {
    ...others,
    ...(extension && !isEmpty && { extension: { ...extension, json: JSON.stringify(members) } }),
  });
}

function isHostedSearch({ kind }: Tool): boolean {
  if (kind.case !== "opaque" || !kind.value.json.includes('"tool_search')) return false;
  const type = lookAtJsonObject(kind.value.json)?.["type"];
  return typeof type === "string" && HOSTED_SEARCH.test(type);
}

/**
 * Puts deferred tools that are in use behind all others, in the order in which they came into use: a prompt begins with
 * its tools, and caches go by the beginning of a prompt. Leaves out the other deferred ones.
 */
function inOrderOfUse<Placed extends PlacedTool & { readonly isDeferred: boolean }>(
  tools: readonly Placed[],
  used: readonly string[],
): Placed[] {
  const ranks = new Map(used.map((name, index) => [name, index]));
  const rankOf = ({ tool, isDeferred }: Placed): number => (isDeferred ? (ranks.get(getName(tool)) ?? -2) : -1);
  return tools.filter((placed) => rankOf(placed) !== -2).toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** Names of tools that the model knows, in the order of the conversation: found, called, or demanded. */
function namesInUse(
  { messages, toolChoice }: HubInput,
  references: ReadonlyMap<ContentBlock, readonly string[]>,
): string[] {
  const calledNames = messages.flatMap(({ content }) =>
    content.flatMap((block) =>
      block.kind.case === "toolUse" ? [block.kind.value.name] : (references.get(block) ?? foundByProvider(block)),
    ),
  );
  return [...new Set([...calledNames, ...(toolChoice?.allowedNames ?? []), toolChoice?.name ?? ""])];
}

/** The names of tools that the results of a conversation refer to, by the block of the result. */
function getReferences(messages: readonly Message[]): Map<ContentBlock, string[]> {
  const references = new Map<ContentBlock, string[]>();
  for (const { content } of messages) {
    for (const block of content) {
      if (block.kind.case !== "toolResult") continue;
      const names = block.kind.value.content.flatMap((inner) => getReference(inner) ?? []);
      if (names.length > 0) references.set(block, names);
    }
  }
  return references;
}

function getReference({ kind }: ContentBlock): string | undefined {
  if (kind.case !== "opaque" || !kind.value.json.includes('"tool_reference"')) return undefined;
  const block = lookAtJsonObject(kind.value.json);
  const name = block?.["type"] === "tool_reference" ? block["tool_name"] : undefined;
  return typeof name === "string" ? name : undefined;
}

/** The names of tools in the result of a search that the provider ran. */
function foundByProvider({ kind }: ContentBlock): readonly string[] {
  if (kind.case !== "opaque" || !kind.value.json.includes('"tool_search_tool_result"')) return [];
  const { type, content } = lookAtJsonObject(kind.value.json) ?? {};
  const found = type === "tool_search_tool_result" && isJsonObject(content) ? content["tool_references"] : undefined;
  if (!Array.isArray(found)) return [];
  return found.flatMap((each: unknown) => (isJsonObject(each) ? toText(each["tool_name"]) : []));
}

function writeReferences(input: HubInput, references: ReadonlyMap<ContentBlock, readonly string[]>): Message[] {
  const tools = new Map(input.tools.map((tool) => [getName(tool), tool]));
  return input.messages.map((message) => {
    if (!message.content.some((block) => references.has(block))) return message;
    const made = create(MessageSchema, { ...message, content: [] });
    // Blocks are known by their identity.
    made.content = message.content.map((block) => {
      const names = references.get(block);
      return names === undefined ? block : withSchemas(block, names, tools);
    });
    return made;
  });
}

/** Puts the schemas in the place of the first reference, all in one text. */
function withSchemas(block: ContentBlock, names: readonly string[], tools: ReadonlyMap<string, Tool>): ContentBlock {
  if (block.kind.case !== "toolResult") return block;
  const { content, ...result } = block.kind.value;
  const found = names.map((name) => tools.get(name) ?? newTool({ case: "function", value: { name } }));
  const text = create(ContentBlockSchema, { kind: { case: "text", value: { text: functionsText(found) } } });
  const first = content.findIndex((inner) => getReference(inner) !== undefined);
  const written = content.flatMap((inner, index) => {
    if (index === first) return [text];
    return getReference(inner) === undefined ? [inner] : [];
  });
  return create(ContentBlockSchema, { ...block, kind: { case: "toolResult", value: { ...result, content: written } } });
}
