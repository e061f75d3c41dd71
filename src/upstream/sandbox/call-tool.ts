import { ToolKind } from "../../../gen/attune/content/v1/content_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import type { AnswerPart } from "./answer.ts";
import type { ChosenTool } from "./choose-tools.ts";
import { fillIn } from "./fill-in.ts";
import { type SchemaAsker, schemaThread } from "./json/schema-thread.ts";
import { UnsatisfiableSchema } from "./json/unsatisfiable-schema.ts";
import { quote } from "./quote.ts";

/** The facts that a call is made from, beside its tool and the prompt. */
interface CallFacts {
  readonly id: string;
  readonly asker: SchemaAsker;
}

/**
 * Calls a tool with arguments that its schema accepts, from the text where it has some. Throws INVALID_REQUEST if it
 * accepts none.
 */
export async function callTool({ callable, text: said }: ChosenTool, { id, asker }: CallFacts): Promise<AnswerPart> {
  const { name } = callable.tool;
  if (callable.kind === "custom") {
    const text = said === "" ? "The sandbox calls this tool." : quote(said);
    return { kind: "toolUse", id, name, toolKind: ToolKind.CUSTOM, text };
  }
  try {
    const schemaJson = callable.tool.parametersJson ?? "{}";
    const valueJson = await schemaThread.satisfy(schemaJson, "object", asker);
    const text = fillIn({ valueJson, schemaJson, text: said, toolName: name });
    return { kind: "toolUse", id, name, toolKind: ToolKind.FUNCTION, text };
  } catch (thrown) {
    if (!(thrown instanceof UnsatisfiableSchema)) throw thrown;
    throw InferenceError.invalid(
      `tools[${callable.index}].parameters_json`,
      `of the tool '${name}': ${thrown.message}`,
    );
  }
}
