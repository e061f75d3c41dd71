import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callSdk, FORMATS, type Format } from "../support/sdk-calls.ts";
import { failure, thrownBy } from "../support/sdk-failures.ts";
import { answerOf, MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import { FRAMES, UPSTREAM_KINDS, type UpstreamKind } from "../support/upstream-frames.ts";

let fixture: SdkFixture;

beforeAll(async () => {
  fixture = await startSdkFixture();
});

afterAll(() => fixture.close());

/** What each kind of upstream says of the same prompt. */
const SAID: Record<UpstreamKind, string> = {
  chat: "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
  responses: "Your input exceeds the context window of this model. Please adjust your input and try again.",
  messages: "prompt is too long: 130000 tokens > 128000 maximum",
};
const CODE = { chat: null, responses: "context_length_exceeded", messages: null };
/**
 * What callers of Messages read; the upstream that names no maximum serves a model whose maximum is in the catalog.
 */
const TOLD: Record<UpstreamKind, string> = {
  chat: SAID.messages,
  responses: "prompt is too long: the maximum is 200000 tokens",
  messages: SAID.messages,
};

/** An error inside the stream, in the words of a kind of upstream. */
const ERROR_FRAME: Record<UpstreamKind, string> = {
  chat: `data: ${JSON.stringify({ error: { message: SAID.chat, type: "BadRequestError", param: null, code: 400 } })}\n\n`,
  responses: `event: error\ndata: ${JSON.stringify({ type: "error", sequence_number: 9, code: CODE.responses, message: SAID.responses, param: null })}\n\n`,
  messages: `event: error\ndata: ${JSON.stringify({ type: "error", error: { type: "invalid_request_error", message: SAID.messages } })}\n\n`,
};

const routes = FORMATS.flatMap((format) => UPSTREAM_KINDS.map((kind) => ({ format, kind })));

function expectWords(format: Format, kind: UpstreamKind, thrown: { message: string; code?: string | null }): void {
  if (format === "messages") expect(thrown.message).toContain(`"message":"${TOLD[kind]}"`);
  else expect({ code: thrown.code, message: thrown.message }).toMatchObject({ code: "context_length_exceeded" });
}

describe.each(routes)("a prompt that is too long for a $kind upstream, in $format", ({ format, kind }) => {
  it.each([false, true])("is told in the format's own words, in a stream: %s", async (stream) => {
    const said = { status: 400, type: "invalid_request_error", message: SAID[kind], code: CODE[kind] };
    fixture.upstream.answer(failure(kind, said));
    const thrown = await thrownBy(callSdk(fixture, { format, model: MODEL[kind], stream }));
    expect(thrown.status).toBe(400);
    expectWords(format, kind, thrown);
  });

  it("is told in the same words inside a stream", async () => {
    fixture.upstream.answer(answerOf([...FRAMES[kind].text.slice(0, 4), ERROR_FRAME[kind]]));
    const thrown = await thrownBy(callSdk(fixture, { format, model: MODEL[kind], stream: true }));
    expectWords(format, kind, thrown);
  });
});

describe.each(FORMATS)("a prompt that is too long, in %s", (format) => {
  it.each([
    ["vLLM", 400, { object: "error", message: SAID.chat, type: "BadRequestError", code: 400 }],
    [
      "llama.cpp",
      400,
      {
        error: {
          code: 400,
          message: "the request exceeds the available context size, try increasing it",
          type: "exceed_context_size_error",
          n_prompt_tokens: 130000,
          n_ctx: 128000,
        },
      },
    ],
    ["a server that says so with a status of its own", 413, { error: { message: SAID.messages, type: "x" } }],
    ["a server that says so as a failure", 500, { error: { message: SAID.chat, type: "server_error" } }],
  ])("is told in the format's own words, and as 400, whatever %s says", async (_server, status, body) => {
    fixture.upstream.answer({
      status,
      headers: { "content-type": "application/json" },
      steps: [JSON.stringify(body)],
    });
    const thrown = await thrownBy(callSdk(fixture, { format, model: MODEL.chat }));
    expect(thrown.status).toBe(400);
    expectWords(format, "chat", thrown);
  });
});
