import OpenAI from "openai";
import { MODEL } from "../support/sdk-fixture.ts";
import { type Call, type Conversation, type Place, type Turn, watchedFetch } from "./conversation.ts";

type Body = Omit<OpenAI.Responses.ResponseCreateParamsStreaming, "model" | "input" | "stream">;

/** Leads a conversation as agents of the Responses format do that keep their history themselves. */
export class ResponsesConversation implements Conversation {
  readonly #client: OpenAI;
  readonly #body: Body;
  readonly #model: string;
  #input: OpenAI.Responses.ResponseInputItem[] = [];

  constructor(place: Place, body: Body, headers: Readonly<Record<string, string>> = {}) {
    this.#client = place.fixture.openai({ fetch: watchedFetch(place), headers: { ...headers } });
    this.#body = body;
    this.#model = MODEL[place.kind];
  }

  say(text: string): void {
    this.#input.push({ type: "message", role: "user", content: [{ type: "input_text", text }] });
  }

  async ask(): Promise<Turn> {
    const items: OpenAI.Responses.ResponseOutputItem[] = [];
    for await (const event of await this.#stream()) {
      if (event.type === "response.output_item.done") items.push(event.item);
      if (event.type === "response.failed")
        throw new OpenAI.APIError(400, event.response.error ?? {}, "failed", undefined);
      if (event.type === "error") throw new OpenAI.APIError(400, event, event.message, undefined);
    }
    // What was not stored cannot be named: items go back without their ids, as such agents send them.
    this.#input.push(
      ...items.map((item) => ({ ...item, id: undefined }) as unknown as OpenAI.Responses.ResponseInputItem),
    );
    return {
      text: items.flatMap((item) => (item.type === "message" ? item.content.map(textOf) : [])).join(""),
      calls: items.flatMap((item) =>
        item.type === "function_call"
          ? { id: item.call_id, name: item.name, arguments: JSON.parse(item.arguments) }
          : [],
      ),
    };
  }

  answer(results: readonly { readonly call: Call; readonly output: string }[]): void {
    for (const { call, output } of results) {
      this.#input.push({ type: "function_call_output", call_id: call.id, output });
    }
  }

  async interrupt(): Promise<void> {
    const stream = await this.#stream();
    for await (const event of stream) if (event.type === "response.output_text.delta") break;
    stream.controller.abort();
    // What was not finished is not kept; the model is told.
    this.say("<turn_aborted>The user interrupted the previous turn on purpose.</turn_aborted>");
  }

  isOverflow(error: unknown): boolean {
    return error instanceof OpenAI.APIError && error.code === "context_length_exceeded";
  }

  compact(summary: string): void {
    this.#input = [];
    this.say(`Another language model started to solve this problem and produced a summary of its work: ${summary}`);
  }

  #stream() {
    return this.#client.responses.create({ ...this.#body, model: this.#model, input: this.#input, stream: true });
  }
}

function textOf(part: OpenAI.Responses.ResponseOutputText | OpenAI.Responses.ResponseOutputRefusal): string {
  return part.type === "output_text" ? part.text : part.refusal;
}
