import { create } from "@bufbuild/protobuf";
import {
  type Tool,
  type ToolChoice,
  ToolChoiceMode,
  ToolChoiceSchema,
  ToolKind,
  ToolSchema,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import {
  decodedMember,
  formMember,
  formsMember,
  listMember,
  type Member,
  nameMember,
  objectMember,
  required,
} from "../../shared/member.ts";
import {
  ALLOWED_MODE,
  CUSTOM,
  FUNCTION,
  TOOL_MODES,
  toCustomTool,
  toFunction,
  toolChoiceMember,
} from "../../shared/openai-tools.ts";
import { readName, readObject, readString, WireError } from "../../shared/read.ts";
import { anyObject } from "../../shared/schema.ts";
import { chatJson } from "../raw-json.ts";
import { CONTROL, withInner } from "./cache-control.ts";

const FUNCTION_OBJECT = decodedMember({ ...FUNCTION, ...CONTROL }, "The function", (values, { rest }) => ({
  value: toFunction(values),
  cacheMark: values.cache_control,
  rest,
}));
const CUSTOM_OBJECT = decodedMember(CUSTOM, "The tool", (values, { rest }) => ({ value: toCustomTool(values), rest }));

/** A tool; one of an unknown type is opaque. */
export const TOOL = formsMember<Tool>(
  "ChatTool",
  {
    function: formMember(
      "ChatFunctionTool",
      ["function", { function: required(FUNCTION_OBJECT), ...CONTROL }, "A function"],
      ({ function: { value, cacheMark, rest: inner }, cache_control: mark }, { rest }) =>
        create(ToolSchema, {
          kind: { case: "function", value },
          cacheMark: mark ?? cacheMark,
          extension: withInner(rest, "function", inner),
        }),
    ),
    custom: formMember(
      "ChatCustomTool",
      ["custom", { custom: required(CUSTOM_OBJECT), ...CONTROL }, "A tool with text input"],
      ({ custom: { value, rest: inner }, cache_control: cacheMark }, { rest }) =>
        create(ToolSchema, { kind: { case: "custom", value }, cacheMark, extension: withInner(rest, "custom", inner) }),
    ),
  },
  "A tool",
  (tool) => create(ToolSchema, { kind: { case: "opaque", value: chatJson(tool) } }),
);

export const NAMED = objectMember({ name: required(nameMember("Its name")) }, "The tool");

/** A reference names its tool as the definition does; one to a tool of an unknown type is named by that type. */
const REFERENCE: Member<string> = {
  read: (value, path) => {
    const reference = readObject(value, path);
    const type = readString(reference.type, `${path}.type`);
    const inner = reference[type];
    return readName(isJsonObject(inner) ? inner.name : (reference.name ?? type), `${path}.${type}.name`);
  },
  schema: anyObject("A tool by type and name"),
};
const REFERENCES = listMember(REFERENCE, "The tools", { minItems: 1 });

function readReferences(value: unknown, path: string): string[] {
  const names = REFERENCES.read(value, path, undefined);
  if (names.length === 0) throw new WireError(path, "must name at least one tool");
  return names;
}

const ALLOWED = objectMember(
  {
    mode: ALLOWED_MODE,
    tools: required({ ...REFERENCES, read: readReferences }),
  },
  "Tools that may be called",
);

/** A choice of some of the tools. */
export const CHOSEN = formsMember<ToolChoice>(
  "ChatChosenTool",
  {
    function: formMember(
      "ChatChosenFunction",
      ["function", { function: required(NAMED) }, "This function"],
      ({ function: { name } }) =>
        create(ToolChoiceSchema, { mode: ToolChoiceMode.NAMED, name, kind: ToolKind.FUNCTION }),
    ),
    custom: formMember(
      "ChatChosenCustom",
      ["custom", { custom: required(NAMED) }, "This tool"],
      ({ custom: { name } }) => create(ToolChoiceSchema, { mode: ToolChoiceMode.NAMED, name, kind: ToolKind.CUSTOM }),
    ),
    allowed_tools: formMember(
      "ChatAllowedTools",
      ["allowed_tools", { allowed_tools: required(ALLOWED) }, "Some of the tools"],
      ({ allowed_tools: { mode, tools: allowedNames } }, { object }) =>
        mode === undefined
          ? opaqueChoice(object)
          : create(ToolChoiceSchema, { mode: TOOL_MODES[mode], allowedNames, opaque: chatJson(object) }),
    ),
  },
  "A choice",
  opaqueChoice,
);

/** `tool_choice`; one of an unknown type stays opaque. */
export const TOOL_CHOICE = toolChoiceMember("ChatToolChoice", CHOSEN, opaqueChoice);

function opaqueChoice(choice: JsonObject | string): ToolChoice {
  return create(ToolChoiceSchema, { mode: ToolChoiceMode.OPAQUE, opaque: chatJson(choice) });
}

/** Throws WireError for the name of a tool that a request does not have. */
export function checkChoice({ mode, kind, name }: ToolChoice, tools: readonly Tool[]): void {
  if (mode !== ToolChoiceMode.NAMED) return;
  const type = kind === ToolKind.CUSTOM ? "custom" : "function";
  if (tools.some((tool) => tool.kind.case === type && tool.kind.value.name === name)) return;
  throw new WireError(`tool_choice.${type}.name`, `'${name}' is not among the tools: define it, or choose another`);
}
