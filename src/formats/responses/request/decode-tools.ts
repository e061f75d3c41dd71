import { create } from "@bufbuild/protobuf";
import {
  type Tool,
  type ToolChoice,
  ToolChoiceMode,
  ToolChoiceSchema,
  ToolKind,
  ToolSchema,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import type { JsonObject } from "../../shared/json.ts";
import { formMember, formsMember, listMember, type Member, nameMember, required } from "../../shared/member.ts";
import {
  ALLOWED_MODE,
  CUSTOM,
  FUNCTION,
  TOOL_MODES,
  toCustomTool,
  toFunction,
  toolChoiceMember,
} from "../../shared/openai-tools.ts";
import { readName, readObject } from "../../shared/read.ts";
import { responsesJson } from "../../shared/responses-json.ts";
import { anyObject } from "../../shared/schema.ts";

/** A tool; hosted tools, namespaces and whatever is newer are opaque. */
export const TOOL = formsMember<Tool>(
  "ResponseTool",
  {
    function: formMember("ResponseFunctionTool", ["function", FUNCTION, "A function"], (values, { rest }) =>
      create(ToolSchema, { kind: { case: "function", value: toFunction(values) }, extension: responsesJson(rest) }),
    ),
    custom: formMember("ResponseCustomTool", ["custom", CUSTOM, "A tool with text input"], (values, { rest }) =>
      create(ToolSchema, { kind: { case: "custom", value: toCustomTool(values) }, extension: responsesJson(rest) }),
    ),
  },
  "A tool, also one that the provider runs, such as `web_search`",
  (tool) => create(ToolSchema, { kind: { case: "opaque", value: responsesJson(tool) } }),
);

const NAME = { name: required(nameMember("Its name")) };

/** The name of a tool; undefined for hosted tools, which have none. */
const REFERENCE: Member<string | undefined> = {
  read: (value, path) => {
    const { type, name } = readObject(value, path);
    return type === "function" || type === "custom" ? readName(name, `${path}.name`) : undefined;
  },
  schema: anyObject("A tool by type and name"),
};

/** A choice of some of the tools. */
export const CHOSEN = formsMember<ToolChoice>(
  "ResponseChosenTool",
  {
    function: formMember("ResponseChosenFunction", ["function", NAME, "This function"], ({ name }) =>
      create(ToolChoiceSchema, { mode: ToolChoiceMode.NAMED, name, kind: ToolKind.FUNCTION }),
    ),
    custom: formMember("ResponseChosenCustom", ["custom", NAME, "This tool"], ({ name }) =>
      create(ToolChoiceSchema, { mode: ToolChoiceMode.NAMED, name, kind: ToolKind.CUSTOM }),
    ),
    allowed_tools: formMember(
      "ResponseAllowedTools",
      [
        "allowed_tools",
        {
          mode: ALLOWED_MODE,
          tools: required(listMember(REFERENCE, "The tools")),
        },
        "Some of the tools",
      ],
      ({ mode, tools }, { object }) => {
        const allowedNames = tools.filter((name) => name !== undefined);
        // Without names, which hosted tools do not have, the hub would read it as leave to call every tool.
        if (mode === undefined || allowedNames.length === 0) return opaqueChoice(object);
        return create(ToolChoiceSchema, { mode: TOOL_MODES[mode], allowedNames, opaque: responsesJson(object) });
      },
    ),
  },
  "A choice",
  opaqueChoice,
);

/** `tool_choice`. */
export const TOOL_CHOICE = toolChoiceMember("ResponseToolChoice", CHOSEN, opaqueChoice);

function opaqueChoice(choice: JsonObject | string): ToolChoice {
  return create(ToolChoiceSchema, { mode: ToolChoiceMode.OPAQUE, opaque: responsesJson(choice) });
}
