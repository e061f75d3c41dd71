import { type Message, Role } from "../../../../gen/attune/content/v1/content_pb.ts";
import { type JsonObject, mergeMembers } from "../../shared/json.ts";
import { resultsBehindCalls } from "../../shared/results-behind-calls.ts";
import { readChatJson } from "../raw-json.ts";
import { encodeAssistant, type PlacedMessage } from "./encode-assistant.ts";
import { encodeContent } from "./encode-part.ts";
import { encodeUser } from "./encode-user.ts";
import { type EncodedMessage, fitMessages } from "./fit-messages.ts";
import { placeBlocks, type Translation } from "./translation.ts";

type Side = "instructions" | "user" | "assistant" | "none";

const SIDES: Record<Role, Side> = {
  [Role.UNSPECIFIED]: "none",
  [Role.SYSTEM]: "instructions",
  [Role.DEVELOPER]: "instructions",
  [Role.USER]: "user",
  [Role.TOOL]: "user",
  [Role.ASSISTANT]: "assistant",
};

/** Encodes the conversation: what stands outside the messages first, then the messages in their order. */
export function encodeMessages(translation: Translation): JsonObject[] {
  const { input } = translation;
  const system = input.system.map((block, index) => ({ block, path: `system[${index}]` }));
  const content = encodeContent(system, translation);
  const encoded: EncodedMessage[] =
    content.length === 0 ? [] : [{ message: { role: "system", content }, path: undefined }];
  for (const group of groupMessages(translation)) {
    for (const message of encodeGroup(group, translation)) encoded.push({ message, path: group[0]?.path });
  }
  return fitMessages(encoded, translation);
}

/** Groups the messages of one side that follow each other; each stays on its own where the caller spoke this format. */
function groupMessages({ input, losses, isNative }: Translation): PlacedMessage[][] {
  const groups: PlacedMessage[][] = [];
  let last: Side = "none";
  const all = input.messages.map((message, index) => ({ message, path: `messages[${index}]` }));
  for (const placed of resultsBehindCalls(all)) {
    const { message } = placed;
    const side = SIDES[message.role] ?? "none";
    // An item without a role belongs to one dialect. If that is not this one, it does not part its neighbours.
    if (side === "none" && !isNative) losses.at(placed.path);
    else if (side === last && side !== "instructions" && !isNative) groups.at(-1)?.push(placed);
    else groups.push([placed]);
    if (side !== "none" || isNative) last = side;
  }
  return groups;
}

function encodeGroup(group: readonly PlacedMessage[], translation: Translation): JsonObject[] {
  const [first] = group;
  if (first === undefined) return [];
  switch (SIDES[first.message.role]) {
    case "none":
      return encodeWhole(first, translation);
    case "assistant":
      return encodeAssistant(group, translation);
    case "user":
      return encodeUser(group, translation);
    default:
      return encodeInstructions(first.message, first.path, translation);
  }
}

/** A message of a role that the hub does not know. */
function encodeWhole({ message, path }: PlacedMessage, { losses }: Translation): JsonObject[] {
  const kind = message.content[0]?.kind;
  const whole = kind?.case === "opaque" ? readChatJson(kind.value) : undefined;
  if (whole === undefined) losses.at(path);
  return whole === undefined ? [] : [whole];
}

function encodeInstructions(message: Message, path: string, translation: Translation): JsonObject[] {
  const content = encodeContent(placeBlocks(message.content, path), translation);
  const name = message.name === undefined ? {} : { name: message.name };
  const role = message.role === Role.DEVELOPER ? "developer" : "system";
  const members = translation.losses.own(message.extension);
  const isLost = content.length === 0 && message.content.length > 0 && typeof content !== "string";
  return isLost ? [] : [mergeMembers({ role, content, ...name }, members)];
}
