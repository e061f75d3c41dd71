import { create } from "@bufbuild/protobuf";
import {
  FunctionToolSchema,
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
  describeForms,
  flagMember,
  formMember,
  formsMember,
  type Member,
  named,
  nameMember,
  required,
  type Source,
  textMember,
  typeMember,
} from "../../shared/member.ts";
import { optional, readArray, readChoice, readObject, readString, WireError } from "../../shared/read.ts";
import { constant, list, request } from "../../shared/schema.ts";
import { readOpenWord } from "../../shared/words.ts";
import { messagesJson } from "../raw-json.ts";
import { TOOL_NAME, TOOL_NAME_RULE } from "../tool-names.ts";
import { CACHE_CONTROL, type Marking } from "./decode-cache-control.ts";

const NAME: Member<string> = {
  ...textMember("Name of the tool", { pattern: TOOL_NAME.source }),
  read: (value, path) => {
    const name = readString(value, path);
    if (!TOOL_NAME.test(name)) throw new WireError(path, TOOL_NAME_RULE);
    return name;
  },
};

const INPUT_SCHEMA: Member<JsonObject> = {
  read: (value, path) => {
    const schema = readObject(value, path);
    readChoice(schema["type"], `${path}.type`, ["object"]);
    return schema;
  },
  schema: {
    ...request({ type: constant("object") }, "JSON schema of the arguments", ["type"]),
    additionalProperties: true,
  },
};

const CUSTOM = named(
  "MessageCustomTool",
  decodedMember(
    {
      type: typeMember("custom"),
      name: required(NAME),
      description: textMember("Description of the tool, for the model"),
      input_schema: required(INPUT_SCHEMA),
      strict: flagMember("Whether arguments must match the schema"),
      cache_control: CACHE_CONTROL,
    },
    "A tool",
    ({ name, description, input_schema: schema, strict, cache_control: control }, { rest }: Source<Marking>) => {
      const value = create(FunctionToolSchema, { name, description, parametersJson: JSON.stringify(schema), strict });
      return create(ToolSchema, {
        kind: { case: "function", value },
        cacheMark: control?.mark,
        extension: messagesJson(control?.rest === undefined ? rest : { ...rest, cache_control: control.rest }),
      });
    },
  ),
);

/** A tool. One of a type that the hub does not know is kept whole. */
export const TOOL: Member<Tool, Marking> = {
  read: (value, path, context) => {
    const tool = readObject(value, path);
    const type = optional(tool["type"], `${path}.type`, readString) ?? "custom";
    if (type === "custom") return CUSTOM.read(tool, path, context);
    const control = optional(tool["cache_control"], `${path}.cache_control`, CACHE_CONTROL.read, context);
    return create(ToolSchema, { kind: { case: "opaque", value: messagesJson(tool) }, cacheMark: control?.mark });
  },
  ...describeForms("MessageTool", [CUSTOM], "A tool, also one that the provider runs, such as `web_search_20250305`"),
};

/** `tools`, of which no two have one name. */
export const TOOLS: Member<Tool[], Marking> = {
  read: (value, path, context) => {
    const names = new Set<string>();
    return readArray(value, path).map((item, index) => {
      const name = isJsonObject(item) ? item["name"] : undefined;
      if (typeof name === "string" && names.has(name)) {
        throw new WireError(`${path}[${index}].name`, `tool names must be unique, and '${name}' is there twice`);
      }
      if (typeof name === "string") names.add(name);
      return TOOL.read(item, `${path}[${index}]`, context);
    });
  },
  schema: list(TOOL.schema, "Tools that the model may call"),
};

/** A decoded `tool_choice`. */
interface DecodedToolChoice {
  readonly toolChoice: ToolChoice;
  /** Undefined if the choice does not say. */
  readonly parallelToolCalls: boolean | undefined;
}

const SERIAL = { disable_parallel_tool_use: flagMember("Whether at most one tool is called in a turn") };

const TOOL_CHOICE_NAME: Member<string> = {
  ...nameMember("Its name"),
  read: (value, path) => {
    const name = readString(value, path);
    if (name === "") throw new WireError(path, "must name one of the tools");
    return name;
  },
};

/** `tool_choice`. */
export const TOOL_CHOICE = formsMember<DecodedToolChoice>(
  "MessageToolChoice",
  {
    auto: formMember("MessageAutoChoice", ["auto", SERIAL, "The model decides"], (values, source) =>
      decodeChoice({ mode: ToolChoiceMode.AUTO, isSerial: values.disable_parallel_tool_use }, source),
    ),
    any: formMember("MessageAnyChoice", ["any", SERIAL, "Any tool"], (values, source) =>
      decodeChoice({ mode: ToolChoiceMode.REQUIRED, isSerial: values.disable_parallel_tool_use }, source),
    ),
    tool: formMember(
      "MessageNamedChoice",
      ["tool", { name: required(TOOL_CHOICE_NAME), ...SERIAL }, "This tool"],
      ({ name, disable_parallel_tool_use: isSerial }, source) =>
        decodeChoice({ mode: ToolChoiceMode.NAMED, name, kind: ToolKind.FUNCTION, isSerial }, source),
    ),
    none: formMember("MessageNoChoice", ["none", {}, "No tool"], (_values, source) => {
      const place = `${source.path}.disable_parallel_tool_use`;
      if (source.rest?.["disable_parallel_tool_use"] !== undefined)
        throw new WireError(place, "does not go with a choice of type 'none'; remove it");
      return decodeChoice({ mode: ToolChoiceMode.NONE }, source);
    }),
  },
  "Tools that the model calls",
  (choice) => opaqueChoice(choice),
  readOpenWord,
);

/** A choice with members that the hub does not know travels whole. */
function decodeChoice(
  choice: { mode: ToolChoiceMode; name?: string; kind?: ToolKind; isSerial?: boolean | undefined },
  { object, rest }: Source,
): DecodedToolChoice {
  if (rest !== undefined) return opaqueChoice(object);
  const { isSerial, ...init } = choice;
  return {
    toolChoice: create(ToolChoiceSchema, init),
    parallelToolCalls: isSerial === undefined ? undefined : !isSerial,
  };
}

function opaqueChoice(choice: JsonObject): DecodedToolChoice {
  const toolChoice = create(ToolChoiceSchema, { mode: ToolChoiceMode.OPAQUE, opaque: messagesJson(choice) });
  return { toolChoice, parallelToolCalls: undefined };
}
