import { create } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  ContentBlockSchema,
  type Message,
  MessageSchema,
  ToolUseBlockSchema,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import type { JsonObject } from "../json.ts";
import { readResponsesJson, responsesJson } from "../responses-json.ts";
import type { FlatNames, NamespacedName } from "./flat-names.ts";

/** Returns the tools of namespaces that a conversation calls, in its order. */
export function calledTools(messages: readonly Message[]): NamespacedName[] {
  return messages.flatMap((message) => readCall(message)?.tool ?? []);
}

/** Names calls as the upstream is told of their tools. Blocks without calls stay the same objects. */
export function flattenMessages(messages: readonly Message[], names: FlatNames): Message[] {
  const called = new Map<string, NamespacedName>();
  return messages.map((message) => {
    const call = readCall(message);
    if (call !== undefined) {
      called.set(call.id, call.tool);
      return without(message, ["namespace"], [renamed(call.block, names.flat(call.tool))]);
    }
    const tool = calledBy(message, called);
    if (tool === undefined) return renameCalls(message, names);
    return without(message, ["namespace", "name"], message.content);
  });
}

interface Call {
  readonly block: ContentBlock;
  readonly id: string;
  readonly tool: NamespacedName;
}

/** A call of a tool that stands in a namespace: an item of its own, which names it. */
function readCall(message: Message): Call | undefined {
  const [block, ...others] = message.content;
  if (block?.kind.case !== "toolUse" || others.length > 0) return undefined;
  const namespace = getMembers(message)?.["namespace"];
  if (typeof namespace !== "string" || namespace === "") return undefined;
  const { id, name } = block.kind.value;
  return { block, id, tool: { namespace, name } };
}

/** The tool that a result names, as its call did: that says no more than the call's identifier. */
function calledBy(message: Message, called: ReadonlyMap<string, NamespacedName>): NamespacedName | undefined {
  const [block, ...others] = message.content;
  if (block?.kind.case !== "toolResult" || others.length > 0 || called.size === 0) return undefined;
  const tool = called.get(block.kind.value.toolUseId);
  const { namespace, name = tool?.name } = getMembers(message) ?? {};
  return tool !== undefined && tool.namespace === namespace && tool.name === name ? tool : undefined;
}

function getMembers({ extension }: Message): JsonObject | undefined {
  return extension?.json.includes('"namespace"') === true ? readResponsesJson(extension) : undefined;
}

function renamed(block: ContentBlock, name: string | undefined): ContentBlock {
  if (block.kind.case !== "toolUse" || name === undefined) return block;
  const value = create(ToolUseBlockSchema, { ...block.kind.value, name });
  return create(ContentBlockSchema, { ...block, kind: { case: "toolUse", value } });
}

/** Names calls of tools without a namespace whose names the upstream does not take. */
function renameCalls(message: Message, names: FlatNames): Message {
  const content = message.content.map((block) => {
    if (block.kind.case !== "toolUse") return block;
    return renamed(block, names.flat({ namespace: undefined, name: block.kind.value.name }));
  });
  return content.every((block, index) => block === message.content[index]) ? message : withContent(message, content);
}

function without(message: Message, names: readonly string[], content: ContentBlock[]): Message {
  const rest = Object.entries(getMembers(message) ?? {}).filter(([name]) => !names.includes(name));
  const extension = rest.length === 0 ? undefined : responsesJson(Object.fromEntries(rest));
  const { extension: _extension, ...others } = message;
  return withContent({ ...others, ...(extension && { extension }) }, content);
}

function withContent(message: Message, content: ContentBlock[]): Message {
  const made = create(MessageSchema, { ...message, content: [] });
  // Blocks are known by their identity.
  made.content = content;
  return made;
}
