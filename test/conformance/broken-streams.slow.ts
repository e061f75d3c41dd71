/** What becomes of an answer whose upstream fails in the middle of it. Texts are written by hand, as in the topics. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readWhenWritten } from "../support/read-when-written.ts";
import type { Step } from "../support/scripted-upstream.ts";
import { messageStart, responsesStream } from "./expected.ts";
import { BEGUN, FAILURE, FAULTS, type Fault, IDLE_MS, openAiError, type Words } from "./faults.ts";
import { type Harness, startHarness } from "./harness.ts";
import { type ResponsesEvent, textFrames } from "./pieces.ts";
import { dataFrames, INBOUND, type Inbound, typedFrames, UPSTREAM_KINDS, type UpstreamKind } from "./topic.ts";
import { text } from "./topics/text.ts";

let patient: Harness;
/** For upstreams that stall: no others are to be held to a short time. */
let hasty: Harness;

beforeAll(async () => {
  [patient, hasty] = await Promise.all([startHarness(), startHarness(`, timeouts: { idleMs: ${IDLE_MS} }`)]);
});

afterAll(() => Promise.all([patient.close(), hasty.close()]));

const harnessFor = ({ hangs }: Fault): Harness => (hangs === true ? hasty : patient);

/** What an upstream of the Messages format has told of its tokens by then; the others tell at the end. */
const TOLD = { input: 9, output: 1 };
/** Three tokens around the message, and 2.02 for "Say hello", rounded up; "Hel" is a short word, of one. */
const ESTIMATED = { input: 6, output: 1 };
const isTold = (kind: UpstreamKind): boolean => kind === "anthropic-messages";

const STREAM: Readonly<Record<Inbound, (kind: UpstreamKind, words: Words) => string>> = {
  chat(kind, words) {
    const chunk = (delta: string): string =>
      `{"id":"<id>","object":"chat.completion.chunk","created":<created>,"model":"attune/${kind}",` +
      `"choices":[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":null}]}`;
    return dataFrames(
      chunk('{"role":"assistant","content":"","refusal":null}'),
      chunk('{"content":"Hel"}'),
      `{"error":${openAiError(words)}}`,
    );
  },
  responses(kind, words) {
    const { message, type, code } = words;
    const id = kind === "openai-responses" ? "msg_1" : "msg_<hex>_0";
    const head = (status: string): string => `"id":"${id}","type":"message","role":"assistant","status":"${status}"`;
    const place = `"item_id":"${id}","output_index":0,"content_index":0`;
    const part = (text: string): string => `{"type":"output_text","text":"${text}","annotations":[],"logprobs":[]}`;
    // A failed Response has one code for the failures of a server, but for one that has too much to do.
    const failure = `{"code":"${type === "server_error" ? type : code}","message":${JSON.stringify(message)}}`;
    const response = {
      output: `{${head("incomplete")},"content":[${part("Hel")}]}`,
      usage: isTold(kind) ? TOLD : ESTIMATED,
      status: "failed",
      error: failure,
    };
    const events: ResponsesEvent[] = [
      ["response.output_item.added", `"output_index":0,"item":{${head("in_progress")},"content":[]}`],
      ["response.content_part.added", `${place},"part":${part("")}`],
      ["response.output_text.delta", `${place},"delta":"Hel","logprobs":[]`],
      [
        "error",
        `"code":"${code}","message":${JSON.stringify(message)},"param":null,"error":{"type":"${type}","code":"${code}","message":${JSON.stringify(message)},"param":null}`,
      ],
    ];
    return responsesStream(kind, response, events);
  },
  messages(kind, words) {
    const start = messageStart(kind, isTold(kind) ? TOLD : { input: 0, output: 0 });
    const begun = typedFrames(start, ...textFrames(0, "Hel").slice(0, -1));
    return `${begun}event: error\ndata: ${FAILURE.messages(words)}\n\n`;
  },
};

function steps(kind: UpstreamKind, fault: Fault): Step[] {
  // A while apart, so that what came before the failure is read by itself.
  return [BEGUN[kind], { waitMs: 30 }, ...fault.steps(kind)];
}

const cases = FAULTS.flatMap((fault) =>
  INBOUND.flatMap((inbound) => UPSTREAM_KINDS.map((kind) => ({ fault, name: fault.name, inbound, kind }))),
);

describe("an upstream that fails inside its answer", () => {
  // On a busy machine an answer may begin late, and what may have been made unseen until then is counted.
  it.each(cases)("$name: $inbound from $kind, streamed", { retry: 2 }, async ({ fault, inbound, kind }) => {
    const answer = { steps: steps(kind, fault), hang: fault.hangs === true };
    const words = fault.words(kind);
    const harness = harnessFor(fault);
    const { status, body, id } = await harness.ask(
      { inbound, kind, request: { ...text.requests[inbound], stream: true } },
      answer,
    );
    expect({ status, body }).toEqual({ status: 200, body: STREAM[inbound](kind, words) });
    const { row, content } = await readWhenWritten(harness.store, id ?? "");
    expect(row).toMatchObject({
      status: "failed",
      errorReason: words.reason,
      errorMessage: words.message,
      inputTokens: isTold(kind) ? 9 : ESTIMATED.input,
      outputTokens: 1,
      finishReason: null,
    });
    expect(content?.output.content.map(({ kind }) => kind)).toMatchObject([{ case: "text", value: { text: "Hel" } }]);
  });

  it.each(cases)("$name: $inbound from $kind, whole", async ({ fault, inbound, kind }) => {
    const answer = { steps: steps(kind, fault), hang: fault.hangs === true };
    const words = fault.words(kind);
    const { status, body } = await harnessFor(fault).ask({ inbound, kind, request: text.requests[inbound] }, answer);
    expect({ status, body }).toEqual({ status: words.status, body: FAILURE[inbound](words) });
  });
});
