import Anthropic from "@anthropic-ai/sdk";
import { MODEL } from "../support/sdk-fixture.ts";
import { type Call, type Conversation, type Place, type Turn, watchedFetch } from "./conversation.ts";

type Body = Omit<Anthropic.Beta.MessageCreateParamsNonStreaming, "model" | "messages" | "stream">;

/** What an agent of the Messages format sends beside its messages. */
export interface MessagesShape {
  readonly body: Body;
  readonly headers?: Readonly<Record<string, string>>;
  /** The content of what the user says. */
  readonly said: (text: string) => Anthropic.Beta.BetaContentBlockParam[];
  /** Changes messages before they are sent, such as to mark them for the cache. */
  readonly marked?: (messages: Anthropic.Beta.BetaMessageParam[]) => Anthropic.Beta.BetaMessageParam[];
}

/** Leads a conversation as agents of the Messages format do: with the official SDK's stream helper. */
export class MessagesConversation implements Conversation {
  readonly #client: Anthropic;
  readonly #shape: MessagesShape;
  readonly #model: string;
  #messages: Anthropic.Beta.BetaMessageParam[] = [];

  constructor(place: Place, shape: MessagesShape) {
    const { headers } = shape;
    this.#client = place.fixture.anthropic({ fetch: watchedFetch(place), ...(headers && { headers: { ...headers } }) });
    this.#shape = shape;
    this.#model = MODEL[place.kind];
  }

  say(text: string): void {
    this.#messages.push({ role: "user", content: this.#shape.said(text) });
  }

  async ask(): Promise<Turn> {
    const { content } = await this.#stream().finalMessage();
    this.#messages.push({ role: "assistant", content });
    return {
      text: content.flatMap((block) => (block.type === "text" ? block.text : [])).join(""),
      calls: content.flatMap((block) =>
        block.type === "tool_use" ? { id: block.id, name: block.name, arguments: block.input } : [],
      ),
    };
  }

  answer(results: readonly { readonly call: Call; readonly output: string }[]): void {
    const content = results.map(({ call, output }) => ({
      type: "tool_result" as const,
      tool_use_id: call.id,
      content: [{ type: "text" as const, text: output }],
    }));
    this.#messages.push({ role: "user", content });
  }

  async interrupt(): Promise<void> {
    const stream = this.#stream();
    const text = await new Promise<string>((resolve, reject) => stream.once("text", resolve).on("error", reject));
    stream.abort();
    await stream.done().catch(() => {});
    this.#messages.push({ role: "assistant", content: [{ type: "text", text }] });
    this.#messages.push({ role: "user", content: [{ type: "text", text: "[Request interrupted by user]" }] });
  }

  isOverflow(error: unknown): boolean {
    return error instanceof Anthropic.APIError && error.status === 400 && error.message.includes("prompt is too long");
  }

  compact(summary: string): void {
    this.#messages = [];
    this.say(`This session is being continued from a previous conversation that ran out of context. ${summary}`);
  }

  #stream() {
    const { body, marked = (messages) => messages } = this.#shape;
    return this.#client.beta.messages.stream({ ...body, model: this.#model, messages: marked(this.#messages) });
  }
}
