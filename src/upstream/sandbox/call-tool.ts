import { ToolKind } from "../../../gen/attune/content/v1/content_pb.ts";
import { InferenceError } from "../../inference/error.ts";
import type { AnswerPart } from "./answer.ts";
import type { CallableTool } from "./choose-tools.ts";
import { schemaThread } from "./json/schema-thread.ts";
import { UnsatisfiableSchema } from "./json/unsatisfiable-schema.ts";
import { quote } from "./quote.ts";

/** What a call is made from, beside its tool. */
export interface CallFacts {
  readonly userText: string;
  readonly id: string;
  readonly signal: AbortSignal;
}

/** Calls a tool with arguments that its schema accepts. Throws INVALID_REQUEST if it accepts none. */
export async function callTool(callable: CallableTool, { userText, id, signal }: CallFacts): Promise<AnswerPart> {
  const { name } = callable.tool;
  if (callable.kind === "custom") {
    const text = userText === "" ? "The sandbox calls this tool." : quote(userText);
    return { kind: "toolUse", id, name, toolKind: ToolKind.CUSTOM, text };
  }
  try {
    const text = await schemaThread.satisfy(callable.tool.parametersJson ?? "{}", "object", signal);
    return { kind: "toolUse", id, name, toolKind: ToolKind.FUNCTION, text };
  } catch (thrown) {
    if (!(thrown instanceof UnsatisfiableSchema)) throw thrown;
    throw InferenceError.invalid(
      `tools[${callable.index}].parameters_json`,
      `of the tool '${name}': ${thrown.message}`,
    );
  }
}
