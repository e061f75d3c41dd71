import { afterAll, beforeAll } from "vitest";
import { type AnswerAsAsked, wholeAnswer } from "../../support/scripted-upstream.ts";
import { bodyOf, type Format, PATH } from "../../support/sdk-calls.ts";
import { answerOf, type SdkFixture, type SdkFixtureOptions, startSdkFixture } from "../../support/sdk-fixture.ts";
import {
  argumentsChunk,
  callBlock,
  callChunk,
  callItem,
  chatFrames,
  messageItem,
  messagesFrames,
  responsesFrames,
  textBlock,
  UPSTREAM_HEADERS,
  type UpstreamKind,
} from "../../support/upstream-frames.ts";
import { wholeSaying } from "../../support/upstream-wholes.ts";

/** Model that the sandbox serves. */
export const SANDBOX = "attune/sandy";

const SANDBOX_YAML = `  - name: sandy
    family: messages
    purpose: tests
    contextWindow: 200000
    maxOutputTokens: 4096
    minCacheableTokens: 1024
    deployments: [ { upstream: sandbox, model: sandbox } ]
`;

/** A running service with scripted upstreams of all kinds, and the sandbox. */
export interface HardCases extends SdkFixture {
  /** Posts a body: the smallest one of the format, changed by `members`. */
  post(format: Format, members: object, headers?: Readonly<Record<string, string>>): Promise<Posted>;
  /** The upstream answers the coming requests with these texts and calls. */
  says(kind: UpstreamKind, said: Saying): void;
}

/** An answer, read to its end. */
export interface Posted {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The text as JSON. Throws if it is none. */
  json(): unknown;
}

/** What an upstream says: a text in pieces, then calls whose arguments come in pieces. */
export interface Saying {
  readonly text?: readonly string[];
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly pieces: readonly string[] }[];
}

/** Has the tests of the file run against one service. */
export function useHardCases(options: SdkFixtureOptions = {}): () => HardCases {
  let cases: HardCases | undefined;
  beforeAll(async () => {
    const change = (yaml: string): string => (options.change?.(yaml) ?? yaml) + SANDBOX_YAML;
    const fixture = await startSdkFixture({ ...options, change });
    cases = {
      ...fixture,
      post: (format, members, headers) => post(fixture, { format, members, headers }),
      says: (kind, said) => fixture.upstream.answer(answerSaying(kind, said)),
    };
  });
  afterAll(() => cases?.close());
  return () => {
    if (cases === undefined) throw new Error("the service runs only inside tests");
    return cases;
  };
}

interface Post {
  readonly format: Format;
  readonly members: object;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

async function post({ service }: SdkFixture, { format, members, headers }: Post): Promise<Posted> {
  const response = await fetch(service.url + PATH[format], {
    method: "POST",
    headers: { ...service.headers, ...headers },
    body: JSON.stringify({ ...bodyOf(format, SANDBOX), ...members }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
}

/** Writes what an upstream says in the format of its kind. */
export function answerSaying(kind: UpstreamKind, { text, calls = [] }: Saying): AnswerAsAsked {
  const whole = calls.map(({ id, name, pieces }) => ({ id, name, pieces, arguments: pieces.join("") }));
  const frames: Record<UpstreamKind, () => readonly string[]> = {
    chat: () =>
      chatFrames(
        [
          ...(text ?? []).map((content) => ({ content })),
          ...whole.flatMap((call, index) => [
            callChunk(index, call),
            ...call.pieces.map((piece) => argumentsChunk(index, piece)),
          ]),
        ],
        calls.length === 0 ? "stop" : "tool_calls",
      ),
    responses: () =>
      responsesFrames([
        ...(text === undefined ? [] : [messageItem("msg_up", text)]),
        ...whole.map((call, index) => callItem(`fc_${index}`, call, call.pieces)),
      ]),
    messages: () =>
      messagesFrames(
        [...(text === undefined ? [] : [textBlock(...text)]), ...whole.map((call) => callBlock(call, ...call.pieces))],
        calls.length === 0 ? "end_turn" : "tool_use",
      ),
  };
  const body = wholeSaying(kind, { text: text?.join(""), calls: whole.map(({ pieces: _pieces, ...call }) => call) });
  return { streamed: answerOf(frames[kind]()), whole: wholeAnswer(body, UPSTREAM_HEADERS) };
}
