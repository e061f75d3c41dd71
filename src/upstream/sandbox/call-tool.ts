import { type Dialect, ToolKind } from "../../../gen/attune/content/v1/content_pb.ts";
import { InferenceError } from "../../inference/error.ts";
import type { AnswerPart } from "./answer.ts";
import type { CallableTool } from "./choose-tools.ts";
import { satisfySchema, UnsatisfiableSchema } from "./json/satisfy-schema.ts";
import { placesOf } from "./places.ts";
import { quote } from "./quote.ts";

/** What a call is made from, beside its tool. */
export interface CallFacts {
  readonly dialect: Dialect;
  readonly userText: string;
  readonly id: string;
}

/** Calls a tool with arguments that its schema accepts. Throws INVALID_REQUEST if it accepts none. */
export function callTool(callable: CallableTool, { dialect, userText, id }: CallFacts): AnswerPart {
  const { name } = callable.tool;
  if (callable.kind === "custom") {
    const text = userText === "" ? "The sandbox calls this tool." : quote(userText);
    return { kind: "toolUse", id, name, toolKind: ToolKind.CUSTOM, text };
  }
  try {
    const text = satisfySchema(callable.tool.parametersJson ?? "{}", "object");
    return { kind: "toolUse", id, name, toolKind: ToolKind.FUNCTION, text };
  } catch (thrown) {
    if (!(thrown instanceof UnsatisfiableSchema)) throw thrown;
    throw InferenceError.invalid(
      `tools[${callable.index}].${placesOf(dialect).parameters}`,
      `of the tool '${name}': ${thrown.message}`,
    );
  }
}
