import OpenAI from "openai";
import { MODEL } from "../support/sdk-fixture.ts";
import { type Call, type Conversation, type Place, type Turn, watchedFetch } from "./conversation.ts";

type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;

/** What an agent of the Chat format sends. */
export interface ChatShape {
  readonly body: Omit<OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming, "model" | "messages" | "stream">;
  /** What stands before the conversation. */
  readonly head: readonly Message[];
  readonly said: (text: string) => Message;
}

/** Leads a conversation as agents of the Chat format do: with the official SDK's stream helper. */
export class ChatConversation implements Conversation {
  readonly #client: OpenAI;
  readonly #shape: ChatShape;
  readonly #model: string;
  #messages: Message[] = [];

  constructor(place: Place, shape: ChatShape) {
    this.#client = place.fixture.openai({ fetch: watchedFetch(place) });
    this.#shape = shape;
    this.#model = MODEL[place.kind];
  }

  say(text: string): void {
    this.#messages.push(this.#shape.said(text));
  }

  async ask(): Promise<Turn> {
    const message = await this.#stream().finalMessage();
    const { content, tool_calls } = message;
    this.#messages.push({ role: "assistant", content, ...(tool_calls && { tool_calls }) });
    return {
      text: content ?? "",
      calls: (tool_calls ?? []).flatMap((call) =>
        call.type === "function"
          ? { id: call.id, name: call.function.name, arguments: JSON.parse(call.function.arguments) }
          : [],
      ),
    };
  }

  answer(results: readonly { readonly call: Call; readonly output: string }[]): void {
    for (const { call, output } of results) {
      this.#messages.push({ role: "tool", tool_call_id: call.id, content: output });
    }
  }

  async interrupt(): Promise<void> {
    const stream = this.#stream();
    const text = await new Promise<string>((resolve, reject) => stream.once("content", resolve).on("error", reject));
    stream.abort();
    await stream.done().catch(() => {});
    this.#messages.push({ role: "assistant", content: text });
    this.say("[interrupted by the user]");
  }

  isOverflow(error: unknown): boolean {
    return error instanceof OpenAI.APIError && error.code === "context_length_exceeded";
  }

  compact(summary: string): void {
    this.#messages = [];
    this.say(`Summary of the conversation so far: ${summary}`);
  }

  #stream() {
    const { body, head } = this.#shape;
    return this.#client.chat.completions.stream({
      ...body,
      model: this.#model,
      messages: [...head, ...this.#messages],
    });
  }
}
