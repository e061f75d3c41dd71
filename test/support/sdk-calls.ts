import type { ClientOptions, SdkFixture } from "./sdk-fixture.ts";

/** Public formats, by their paths. */
export const FORMATS = ["chat", "responses", "messages"] as const;
export type Format = (typeof FORMATS)[number];

/** Path of each format. */
export const PATH: Record<Format, string> = {
  chat: "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
};

const prompt = [{ role: "user" as const, content: "Hello" }];

/** The smallest request of each format. */
export function bodyOf(format: Format, model: string): Record<string, unknown> {
  if (format === "responses") return { model, input: prompt };
  return { model, messages: prompt, ...(format === "messages" ? { max_tokens: 64 } : {}) };
}

/** One call of an official client. */
export interface SdkCall {
  readonly format: Format;
  readonly model: string;
  readonly stream?: boolean;
  readonly client?: ClientOptions;
  /** Members of the request beyond the smallest one. */
  readonly members?: Record<string, unknown>;
  readonly signal?: AbortSignal;
}

/** Calls, and reads the answer to its end; returns its events, or the whole answer as the only one. */
export async function callSdk(clients: Pick<SdkFixture, "openai" | "anthropic">, call: SdkCall): Promise<unknown[]> {
  const { format, model, stream = false, members = {}, signal } = call;
  // The official types describe requests that are right; some of these are not meant to be.
  const body = { ...bodyOf(format, model), ...members, stream } as never;
  const options = signal === undefined ? {} : { signal };
  const create = {
    chat: () => clients.openai(call.client).chat.completions.create(body, options),
    responses: () => clients.openai(call.client).responses.create(body, options),
    messages: () => clients.anthropic(call.client).messages.create(body, options),
  };
  const answer: unknown = await create[format]();
  if (!stream) return [answer];
  const events: unknown[] = [];
  for await (const event of answer as AsyncIterable<unknown>) events.push(event);
  return events;
}
