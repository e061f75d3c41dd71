import { create } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  ContentBlockSchema,
  type Tool,
  type ToolChoice,
  ToolChoiceMode,
  ToolChoiceSchema,
  ToolKind,
  ToolSchema,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import type { JsonObject } from "../../shared/json.ts";
import {
  choiceMember,
  decodedMember,
  deprecated,
  type Member,
  nameMember,
  required,
  textMember,
} from "../../shared/member.ts";
import { FUNCTION, toFunction, toolsMember } from "../../shared/openai-tools.ts";
import { WireError } from "../../shared/read.ts";
import { oneOf } from "../../shared/schema.ts";
import { chatJson } from "../raw-json.ts";
import { NAMED } from "./decode-tools.ts";

/**
 * Tells whether a request defines its tools as `functions`, the form before `tools`: its answer then has a
 * `function_call`. Source: `functions` and `function_call` in the openai SDK's ChatCompletionCreateParams.
 */
export function usesFunctions({ functions }: JsonObject): boolean {
  return functions !== undefined && functions !== null;
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

/** `functions`, the older form of tools. */
export const OLDER_TOOLS = deprecated(
  toolsMember(
    decodedMember(FUNCTION, "A function", (values, { rest }) => {
      const kind = { case: "function", value: toFunction(values) } as const;
      const tool = create(ToolSchema, { kind, extension: rest && chatJson({ function: rest }) });
      FUNCTIONS.add(tool);
      return tool;
    }),
    "Older form of `tools`",
  ),
);

const MODES = { none: ToolChoiceMode.NONE, auto: ToolChoiceMode.AUTO } as const;
const MODE = choiceMember(["none", "auto"], "Whether functions are called");

/** `function_call` of a request. */
export const FUNCTION_CALL: Member<ToolChoice> = deprecated({
  read: (value: unknown, path: string) =>
    create(
      ToolChoiceSchema,
      typeof value === "string"
        ? { mode: MODES[MODE.read(value, path, undefined)] }
        : { mode: ToolChoiceMode.NAMED, kind: ToolKind.FUNCTION, ...NAMED.read(value, path, undefined) },
    ),
  schema: oneOf([MODE.schema, NAMED.schema], "Older form of `tool_choice`"),
});

/**
 * Returns the choice that `function_call` makes; without functions nothing can be called, which is what both words say
 * then. Throws WireError for the name of a function that a request does not have.
 */
export function fitFunctionCall(choice: ToolChoice, tools: readonly Tool[]): ToolChoice | undefined {
  const { mode, name } = choice;
  if (mode !== ToolChoiceMode.NAMED) return tools.length === 0 ? undefined : choice;
  if (tools.some(({ kind }) => kind.case === "function" && kind.value.name === name)) return choice;
  throw new WireError("function_call.name", `'${name}' is not among the functions: define it, or choose another`);
}

/** A call of a function, in a history. */
export const CALLED_FUNCTION = decodedMember(
  { name: required(nameMember("Name of the function")), arguments: required(textMember("Arguments as JSON")) },
  "Call of a function",
  (values, { rest }) => ({ ...values, rest }),
);

type DecodedCall = ReturnType<typeof CALLED_FUNCTION.read>;

/** The calls of a history that were made as `function_call`: they have no ids, and results know them by their names. */
export class FunctionCalls {
  /** Ids of the calls without a result, by the name of the function. */
  readonly #open = new Map<string, string[]>();

  /** Returns `function_call` of the assistant's message at a position. */
  decode({ rest, ...call }: DecodedCall, position: number): ContentBlock {
    const id = CALL_ID + position;
    const waiting = this.#open.get(call.name);
    if (waiting === undefined) this.#open.set(call.name, [id]);
    else waiting.push(id);
    return create(ContentBlockSchema, {
      kind: { case: "toolUse", value: { id, ...call, kind: ToolKind.FUNCTION } },
      extension: rest && chatJson({ function: rest }),
    });
  }

  /** Returns the id of the first call of a name without a result. Throws WireError if there is none. */
  close(name: string, path: string): string {
    const id = this.#open.get(name)?.shift();
    if (id !== undefined) return id;
    throw new WireError(`${path}.name`, `no 'function_call' of '${name}' without a result comes before it`);
  }
}
