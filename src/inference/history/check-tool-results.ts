import type { Message } from "../../../gen/attune/content/v1/content_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import type { Prompt } from "./history.ts";

/** Types of items that stand for others, which may be calls; a reference may also come without a type. */
const STANDS_FOR_OTHERS = /"type"\s*:\s*"(?:item_reference|compaction|compaction_summary)"|^(?!.*"type")/s;
/** The ids in the JSON of a call that only its format knows. */
const IDS = /"(?:call_)?id"\s*:\s*"([^"\\]*)"/g;

/**
 * Checks that each result of a tool answers a call before it, in the input itself or in the conversation that it
 * continues. Throws INVALID_REQUEST in the words of the Responses format, which alone continues conversations.
 */
export function checkToolResults({ input, historyLength }: Pick<Prompt, "input" | "historyLength">): void {
  if (!input.messages.slice(historyLength).some(hasResult)) return;
  const calls = new CallsSoFar();
  for (const [index, { content }] of input.messages.entries()) {
    for (const [at, { kind }] of content.entries()) {
      if (kind.case === "toolUse") calls.add(kind.value.id);
      if (kind.case === "opaque") calls.addOpaque(kind.value.json);
      if (kind.case !== "toolResult" || index < historyLength || calls.has(kind.value.toolUseId)) continue;
      throw InferenceError.invalid(
        `messages[${index - historyLength}].content[${at}].tool_use_id`,
        `No tool call found for function call output with call_id ${kind.value.toolUseId.slice(0, 128)}.`,
      );
    }
  }
}

function hasResult({ content }: Message): boolean {
  return content.some(({ kind }) => kind.case === "toolResult");
}

/** The calls before a place in a conversation. */
class CallsSoFar {
  readonly #ids = new Set<string>();
  #unread: string[] = [];
  #mayHoldAny = false;

  add(id: string): void {
    this.#ids.add(id);
  }

  /** Adds an item that only its format knows. It is read only where no other call is answered. */
  addOpaque(json: string): void {
    this.#unread.push(json);
  }

  has(id: string): boolean {
    if (this.#ids.has(id) || this.#mayHoldAny) return true;
    for (const json of this.#unread) {
      this.#mayHoldAny ||= STANDS_FOR_OTHERS.test(json);
      for (const [, found = ""] of json.matchAll(IDS)) this.#ids.add(found);
    }
    this.#unread = [];
    return this.#mayHoldAny || this.#ids.has(id);
  }
}
