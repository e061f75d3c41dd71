import { create } from "@bufbuild/protobuf";
import { ContentBlockSchema, type Message, MessageSchema, Role } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { HubInput } from "../../../hub/input.ts";
import { textOf } from "../json.ts";
import { readResponsesJson } from "../responses-json.ts";
import type { RewrittenInput } from "./rewritten-input.ts";
import { areToolsOwn, type ToolRules } from "./tool-rules.ts";

/**
 * Has the user say what a client ran of its own accord, with the name of what it ran: other formats have results of
 * calls alone. Undefined where there is none.
 */
export function tellUncalled(input: HubInput, rules: ToolRules): RewrittenInput | undefined {
  if (areToolsOwn(input, rules) || !input.messages.some(isUncalled)) return undefined;
  return { input: { ...input, messages: input.messages.map(tell) }, losses: [], placeOf: (place) => place };
}

function isUncalled({ content: [block] }: Message): boolean {
  return block?.kind.case === "toolResult" && block.kind.value.toolUseId === "";
}

function tell(message: Message): Message {
  const [block] = message.content;
  if (block?.kind.case !== "toolResult" || !isUncalled(message)) return message;
  const text = `${textOf(readResponsesJson(message.extension)?.["name"])}:`;
  const named = create(ContentBlockSchema, { kind: { case: "text", value: { text } } });
  return create(MessageSchema, { role: Role.USER, content: [named, ...block.kind.value.content] });
}
