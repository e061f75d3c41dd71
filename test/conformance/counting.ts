import type { Inbound, UpstreamKind } from "./topic.ts";

/**
 * What a request for a count of tokens does on its way to a kind of upstream. All texts are exact bytes, written by
 * hand.
 */
export interface CountRoute {
  /** Undefined where the upstream does not count. */
  readonly upstream?: { readonly path: string; readonly receives: string; readonly answers: string };
  readonly answer: string;
  /** What the header attune-token-count says. */
  readonly how: "exact" | "estimated";
}

/** A format that asks for counts. */
export interface Counting {
  readonly path: string;
  readonly request: object;
  readonly routes: Readonly<Record<UpstreamKind, CountRoute>>;
}

const MESSAGES = {
  path: "/v1/messages/count_tokens",
  answers: '{"input_tokens":31}',
  receives: '{"model":"real-messages","system":"Be brief.","messages":[{"role":"user","content":"Hi"}]}',
};
const RESPONSES = {
  path: "/v1/responses/input_tokens",
  answers: '{"object":"response.input_tokens","input_tokens":31}',
  receives:
    '{"model":"real-responses","instructions":"Be brief.","input":[{"type":"message","role":"user","content":"Hi"}]}',
};
const inMessages = (tokens: number): string => `{"input_tokens":${tokens}}`;
const inResponses = (tokens: number): string => `{"object":"response.input_tokens","input_tokens":${tokens}}`;

/** Chat has no such request. The estimate is of the o200k vocabulary: "Be| brief|." and "Hi", with 3 around a message. */
export const COUNTING: Readonly<Partial<Record<Inbound, Counting>>> = {
  responses: {
    path: "/v1/responses/input_tokens",
    request: { instructions: "Be brief.", input: "Hi" },
    routes: {
      "openai-chat": { answer: inResponses(7), how: "estimated" },
      "openai-responses": { upstream: RESPONSES, answer: inResponses(31), how: "exact" },
      "anthropic-messages": { upstream: MESSAGES, answer: inResponses(31), how: "exact" },
    },
  },
  messages: {
    path: "/v1/messages/count_tokens",
    request: { system: "Be brief.", messages: [{ role: "user", content: "Hi" }] },
    routes: {
      "openai-chat": { answer: inMessages(7), how: "estimated" },
      "openai-responses": { upstream: RESPONSES, answer: inMessages(31), how: "exact" },
      "anthropic-messages": { upstream: MESSAGES, answer: inMessages(31), how: "exact" },
    },
  },
};
