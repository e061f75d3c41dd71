import { create } from "@bufbuild/protobuf";
import { ContentBlockSchema, Dialect, ToolUseBlockSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { type GenerateEvent, GenerateEventSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { choiceEvent, createEvent } from "../../../hub/events.ts";
import type { HubInput } from "../../../hub/input.ts";
import { readResponsesJson, responsesJson } from "../responses-json.ts";
import type { RewrittenInput } from "../tool-forms/rewritten-input.ts";
import type { ToolRules } from "../tool-forms/tool-rules.ts";
import type { FlatNames } from "./flat-names.ts";
import { flattenInput } from "./flatten-input.ts";

/**
 * Gives the tools of a request names that an upstream takes, as flattenInput() does, and its calls those that the
 * caller knows.
 */
export function nameTools(input: HubInput, { maxLength, ownDialect }: ToolRules): RewrittenInput | undefined {
  const flat = flattenInput(input, { maxLength, hasNamespaces: ownDialect === Dialect.RESPONSES });
  if (flat === undefined) return undefined;
  const { names, ...rewritten } = flat;
  // The calls of the answer have other names for a caller whose tools need no others.
  const restored = flat.input.tools.flatMap(({ kind }) => {
    const isNamed = kind.case === "function" || kind.case === "custom";
    return isNamed ? [names.original(kind.value.name) ?? ""] : [];
  });
  return { ...rewritten, createRestore: () => (events) => restoreNames(events, names), restored };
}

/**
 * Returns events in which calls are of the tools that the caller knows; those that upstreams hand on are not changed.
 */
function restoreNames(events: GenerateEvent[], names: FlatNames): GenerateEvent[] {
  return events.map((event) => {
    const { case: kind, value } = event.event;
    if (kind === "choiceEvent") {
      const [own] = restoreNames([createEvent(value.event)], names);
      return own?.event.case === "blockStart" ? choiceEvent(value.choice, own.event) : event;
    }
    if (kind !== "blockStart" || value.block?.kind.case !== "toolUse") return event;
    const { block } = value;
    const tool = names.original(value.block.kind.value.name);
    if (tool === undefined) return event;
    const call = create(ToolUseBlockSchema, { ...value.block.kind.value, name: tool.name });
    const own = create(ContentBlockSchema, { ...block, kind: { case: "toolUse", value: call } });
    if (tool.namespace !== undefined) {
      const members = { ...readResponsesJson(block.itemExtension), namespace: tool.namespace };
      own.itemExtension = responsesJson(members);
    }
    return create(GenerateEventSchema, { event: { case: kind, value: { ...value, block: own } } });
  });
}
