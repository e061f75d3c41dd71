import { create } from "@bufbuild/protobuf";
import { type ContentBlock, ContentBlockSchema, ToolKind } from "../../../../gen/attune/content/v1/content_pb.ts";
import { readCacheControl } from "../../shared/chat-cache-control.ts";
import { extraMembers, isJsonObject, type JsonObject } from "../../shared/json.ts";
import {
  decodedMember,
  describeForms,
  formMember,
  type Member,
  named,
  nameMember,
  required,
  textMember,
  typeMember,
} from "../../shared/member.ts";
import { optional, readChoice, readObject } from "../../shared/read.ts";
import { CONTROL, withInner } from "./cache-control.ts";
import { CALLED_FUNCTION } from "./decode-functions.ts";

const CALLED_CUSTOM = decodedMember(
  { name: required(nameMember("Name of the tool")), input: required(textMember("Input")) },
  "Tool call",
  ({ name, input }, { rest }) => ({ name, arguments: input, rest }),
);

/** Id of a call. */
export const CALL_ID = nameMember("Id of the call");

const FORMS = {
  function: named(
    "ChatFunctionCall",
    decodedMember(
      { id: required(CALL_ID), type: typeMember("function"), function: required(CALLED_FUNCTION), ...CONTROL },
      "A call of a function",
      ({ id, function: { rest: inner, ...called } }, { object, rest }): ContentBlock =>
        create(ContentBlockSchema, {
          kind: { case: "toolUse", value: { id, ...called, kind: ToolKind.FUNCTION } },
          cacheMark: readCacheControl(object),
          extension: withInner(rest, "function", inner),
        }),
    ),
  ),
  custom: formMember(
    "ChatCustomCall",
    [
      "custom",
      { id: required(CALL_ID), custom: required(CALLED_CUSTOM), ...CONTROL },
      "A call of a tool with text input",
    ],
    ({ id, custom: { rest: inner, ...called }, cache_control: cacheMark }, { rest }): ContentBlock =>
      create(ContentBlockSchema, {
        kind: { case: "toolUse", value: { id, ...called, kind: ToolKind.CUSTOM } },
        cacheMark,
        extension: withInner(rest, "custom", inner),
      }),
  ),
};

/** Types of calls that the hub knows. */
export const CALL_TYPES = ["function", "custom"] as const;

/** A call in the history. */
export const CALL: Member<ContentBlock> = {
  read: (value, path) => {
    const call = readObject(value, path);
    // Many clients leave the type out: there was only one for years.
    const type = optional(call.type, `${path}.type`, readChoice, CALL_TYPES) ?? "function";
    return FORMS[type].read(call, path, undefined);
  },
  ...describeForms("ChatCall", Object.values(FORMS), "A call"),
};

const KNOWN = new Set(["id", "type", "function", "custom", "index"]);
const KNOWN_INSIDE = {
  function: new Set(Object.keys(CALLED_FUNCTION.table)),
  custom: new Set(Object.keys(CALLED_CUSTOM.table)),
};

/**
 * Returns the members of a call, and of the object inside it, that the hub does not model; undefined if there are none.
 */
export function extraOfCall(call: JsonObject): JsonObject | undefined {
  const rest = extraMembers(call, KNOWN) ?? {};
  for (const [name, known] of Object.entries(KNOWN_INSIDE)) {
    const inner = call[name];
    const innerRest = isJsonObject(inner) ? extraMembers(inner, known) : undefined;
    if (innerRest !== undefined) rest[name] = innerRest;
  }
  return Object.keys(rest).length === 0 ? undefined : rest;
}
