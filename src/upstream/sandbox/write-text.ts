import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import type { Tokenizer } from "../../hub/tokens/tokenizer.ts";
import type { Conversation } from "./conversation.ts";
import { fillIn } from "./fill-in.ts";
import { type SchemaAsker, schemaThread } from "./json/schema-thread.ts";
import { UnsatisfiableSchema } from "./json/unsatisfiable-schema.ts";
import { quote } from "./quote.ts";
import { findShownJson } from "./shown-json.ts";

const INTRODUCTION = "This is Attune's sandbox, not a model.";

/** Writes the text of an answer in the form that the request asks for. Throws INVALID_REQUEST. */
export async function writeText(
  input: InferenceInput,
  conversation: Conversation,
  asker: SchemaAsker,
): Promise<string> {
  const format = input.outputFormat?.kind;
  switch (format?.case) {
    case "jsonObject":
      return (
        (await writeShown(conversation, asker)) ?? JSON.stringify({ sandbox: true, said: quote(conversation.userText) })
      );
    case "jsonSchema":
      return await writeJson(format.value.schemaJson, conversation, asker);
    default:
      if (conversation.results.length > 0) return quoteResults(conversation);
      return (await writeSchemaJson(conversation, asker)) ?? reflect(conversation);
  }
}

/** Writes a text of exactly so many tokens. */
export function longText(tokens: number, tokenizer: Tokenizer): string {
  const sentence = [...tokenizer.split(" The sandbox was directed to write a long answer.")];
  const pieces = Array.from({ length: tokens }, (_none, position) => sentence[position % sentence.length]?.text ?? "");
  return pieces.join("").trimStart();
}

/** Longer instructions, such as those of agents, speak of JSON that nobody wants for an answer. */
const MAX_INSTRUCTIONS_LENGTH = 2000;

/** Writes the JSON that a text asks for and shows, where the request names no form. */
async function writeSchemaJson(conversation: Conversation, asker: SchemaAsker): Promise<string | undefined> {
  const { userText, instructions } = conversation;
  const isShort = instructions.length <= MAX_INSTRUCTIONS_LENGTH;
  const shortInstructions = isShort ? instructions : "";
  if (!/\bJSON\b/i.test(userText) && !/\bJSON\b/i.test(shortInstructions)) return undefined;
  return await writeShown({ userText, instructions: shortInstructions }, asker);
}

/**
 * Writes the JSON that the user shows, or else the instructions; undefined if nobody shows any, or a schema that
 * accepts nothing.
 */
async function writeShown(
  { userText, instructions }: Pick<Conversation, "userText" | "instructions">,
  asker: SchemaAsker,
): Promise<string | undefined> {
  const shown = findShownJson(userText) ?? findShownJson(instructions);
  if (shown === undefined) return undefined;
  if ("example" in shown) return JSON.stringify(shown.example);
  try {
    return await schemaThread.satisfy(JSON.stringify(shown.schema), "object", asker);
  } catch (thrown) {
    if (thrown instanceof UnsatisfiableSchema) return undefined;
    throw thrown;
  }
}

async function writeJson(schemaJson: string, { userText }: Conversation, asker: SchemaAsker): Promise<string> {
  try {
    return fillIn({ valueJson: await schemaThread.satisfy(schemaJson, "any", asker), schemaJson, text: userText });
  } catch (thrown) {
    if (!(thrown instanceof UnsatisfiableSchema)) throw thrown;
    throw InferenceError.invalid("output_format.json_schema.schema_json", thrown.message);
  }
}

function reflect({ userText, images, documents, sounds }: Conversation): string {
  const echo = userText === "" ? "You said nothing in words." : `You said: ${quote(userText)}`;
  const seen = [counted(images, "image"), counted(documents, "document"), counted(sounds, "sound")].filter(Boolean);
  const saw = seen.length === 0 ? [] : [`It was given ${seen.join(" and ")}.`];
  return [INTRODUCTION, ...saw, echo].join(" ");
}

function quoteResults({ results }: Conversation): string {
  const quoted = results.map(({ name, text, isError }) => {
    const tool = name === undefined ? "A tool" : `The tool ${name}`;
    return `${tool} ${isError ? "failed" : "returned"}: ${quote(text)}`;
  });
  return [INTRODUCTION, ...quoted].join(" ");
}

function counted(count: number, what: string): string {
  if (count === 0) return "";
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}
