import { create } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  ContentBlockSchema,
  type Message,
  MessageSchema,
  Role,
  type Tool,
  type ToolChoice,
  ToolChoiceMode,
  ToolChoiceSchema,
  ToolKind,
  ToolSchema,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { extraMembers, type JsonObject } from "../../shared/json.ts";
import { decodeFunctionTool, decodeToolList } from "../../shared/openai-tools.ts";
import { optional, readChoice, readName, readObject, readString, WireError } from "../../shared/read.ts";
import { MODELLED } from "../members.ts";
import { chatJson } from "../raw-json.ts";
import { decodeContent, type PartType } from "./decode-part.ts";

/**
 * Tells whether a request defines its tools as `functions`, the form before `tools`: its answer then has a
 * `function_call`. Source: `functions` and `function_call` in the openai SDK's ChatCompletionCreateParams.
 */
export function usesFunctions({ functions }: JsonObject): boolean {
  return functions !== undefined && functions !== null;
}

/** Decodes `functions` as tools. Throws WireError, also where the request has tools of the newer form beside them. */
export function decodeFunctions(body: JsonObject): Tool[] {
  for (const name of ["tools", "tool_choice"]) {
    if (body[name] === undefined || body[name] === null) continue;
    throw new WireError("functions", `cannot stand beside ${name}: define all of them as tools`);
  }
  return decodeToolList(body.functions, decodeFunction, "functions");
}

/** Tools that came as functions: the hub has one form of both, and errors and losses name them as they came. */
const FUNCTIONS = new WeakSet<Tool>();

/** Tells whether a tool came as a function. */
export function isFromFunction(tool: Tool | undefined): boolean {
  return tool !== undefined && FUNCTIONS.has(tool);
}

/** Tells whether a call of a history came as `function_call`. */
export function isFromFunctionCall({ kind }: ContentBlock): boolean {
  return kind.case === "toolUse" && kind.value.id.startsWith(CALL_ID);
}

const CALL_ID = "call_function_";

function decodeFunction(definition: JsonObject, path: string): Tool {
  const rest = extraMembers(definition, MODELLED.function);
  const tool = create(ToolSchema, {
    kind: { case: "function", value: decodeFunctionTool(definition, path) },
    extension: rest && chatJson({ function: rest }),
  });
  FUNCTIONS.add(tool);
  return tool;
}

const MODES = { none: ToolChoiceMode.NONE, auto: ToolChoiceMode.AUTO } as const;

/** Decodes `function_call` of a request. Without functions nothing can be called, which is what both words say then. */
export function decodeFunctionCall(value: unknown, tools: readonly Tool[]): ToolChoice | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") {
    const mode = MODES[readChoice(value, "function_call", ["none", "auto"])];
    return tools.length === 0 ? undefined : create(ToolChoiceSchema, { mode });
  }
  const name = readName(readObject(value, "function_call").name, "function_call.name");
  if (!tools.some(({ kind }) => kind.case === "function" && kind.value.name === name)) {
    throw new WireError("function_call.name", `'${name}' is not among the functions: define it, or choose another`);
  }
  return create(ToolChoiceSchema, { mode: ToolChoiceMode.NAMED, name, kind: ToolKind.FUNCTION });
}

/** The calls of a history that were made as `function_call`: they have no ids, and results know them by their names. */
export class FunctionCalls {
  /** Ids of the calls without a result, by the name of the function. */
  readonly #open = new Map<string, string[]>();

  /** Decodes `function_call` of the assistant's message at a position. Throws WireError. */
  decode(value: unknown, path: string, position: number): ContentBlock {
    const call = readObject(value, path);
    const name = readName(call.name, `${path}.name`);
    const id = CALL_ID + position;
    const waiting = this.#open.get(name);
    if (waiting === undefined) this.#open.set(name, [id]);
    else waiting.push(id);
    const rest = extraMembers(call, MODELLED.called_function);
    return create(ContentBlockSchema, {
      kind: {
        case: "toolUse",
        value: { id, name, arguments: readString(call.arguments, `${path}.arguments`), kind: ToolKind.FUNCTION },
      },
      extension: rest && chatJson({ function: rest }),
    });
  }

  /** Decodes a message of the role `function`: the result of the first call of that name without one. */
  decodeResult(message: JsonObject, path: string, types: readonly PartType[]): Message {
    const name = readName(message.name, `${path}.name`);
    const toolUseId = this.#open.get(name)?.shift();
    if (toolUseId === undefined) {
      throw new WireError(`${path}.name`, `no 'function_call' of '${name}' without a result stands before it`);
    }
    const content = optional(message.content, `${path}.content`, decodeContent, types) ?? [];
    return create(MessageSchema, {
      role: Role.TOOL,
      content: [{ kind: { case: "toolResult", value: { toolUseId, content, kind: ToolKind.FUNCTION } } }],
      extension: chatJson(extraMembers(message, MODELLED.function_message)),
    });
  }
}
