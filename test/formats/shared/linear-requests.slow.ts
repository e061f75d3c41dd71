import { Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { objectBody, parseBody } from "../../../src/facade/parse-body.ts";
import { listLosses } from "../../../src/facade/serving-headers.ts";
import { chatCodec } from "../../../src/formats/chat/codec.ts";
import { messagesCodec } from "../../../src/formats/messages/codec.ts";
import { responsesCodec } from "../../../src/formats/responses/codec.ts";
import type { DialectCodec } from "../../../src/formats/shared/codec.ts";
import type { EventSink, Upstream } from "../../../src/hub/upstream.ts";
import type { Recorder } from "../../../src/inference/ports.ts";
import { InFlight } from "../../../src/inference/run/in-flight.ts";
import { createInferenceService } from "../../../src/inference/run/service.ts";
import { createCounts } from "../../../src/observability/record-count.ts";
import { recordToRow } from "../../../src/store/write/recorder/record-to-row.ts";
import { createUpstreams } from "../../../src/upstream/registry.ts";
import { FORMATS, type Format } from "../../support/sdk-calls.ts";
import { noConversations } from "../../support/stub-conversations.ts";
import { NO_BACKGROUND, stubArchive, stubPlan, stubRouter, textEvents } from "../../support/stub-upstream.ts";
import { TEST_KEY } from "../../support/test-signer.ts";
import type { UpstreamKind } from "../../support/upstream-frames.ts";
import { workRatio } from "../../support/work-ratio.ts";

const COUNT = 500;
const FACTOR = 10;
/** The larger request may take so many times as long as the smaller one. */
const MOST = 15;

const CODECS: Record<Format, DialectCodec> = { chat: chatCodec, responses: responsesCodec, messages: messagesCodec };
const LIMITS = { jsonDepth: 256, jsonValues: 1_000_000 };
const CALLER = { principal: { keyId: "k", projectId: "p" }, signal: new AbortController().signal };

const times = (count: number, part: (index: number) => object | readonly object[]): object[] =>
  Array.from({ length: count }, (_, index) => part(index)).flat();
const members = (count: number, value: unknown = 1): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`member_${index}`, value]));

/**
 * What expressions look for, as often as fits in a name: whatever begins anew at each of them takes the square of that.
 */
const BAITS = ["[1]", "a.", "1", "_at", "=", "]", "[", "\\", " ", "é", "sk-", "*"];
const longNames = (count: number): Record<string, unknown> =>
  Object.fromEntries(BAITS.map((bait) => [`${bait.repeat(20 * count)}x`, 1]));

/** Parts that a request may repeat: its conversation and what stands beside it. */
type Part = (count: number) => { readonly turns?: readonly object[] } & Record<string, unknown>;

const user = { role: "user", content: "x" };
const anywhere: Record<string, Part> = {
  messages: (count) => ({ turns: times(count, () => user) }),
  "turns that change": (count) => ({ turns: times(count, () => [user, { role: "assistant", content: "y" }]) }),
  "members that are not known": (count) => members(count),
  "members of a message that are not known": (count) => ({ turns: [{ ...user, ...members(count) }] }),
  "names that are not known": (count) => ({ ...longNames(count), turns: [{ ...user, ...longNames(count) }] }),
};

const schema = (count: number): object => ({ type: "object", properties: members(count, { type: "string" }) });

const PARTS: Record<Format, Record<string, Part>> = {
  chat: {
    ...anywhere,
    parts: (count) => ({ turns: [{ role: "user", content: times(count, () => ({ type: "text", text: "x" })) }] }),
    calls: (count) => {
      const call = (index: number) => ({ id: `c${index}`, type: "function", function: { name: "f", arguments: "{}" } });
      const result = (index: number) => ({ role: "tool", tool_call_id: `c${index}`, content: "x" });
      return { turns: [user, { role: "assistant", tool_calls: times(count, call) }, ...times(count, result)] };
    },
    tools: (count) => ({ tools: times(count, (index) => ({ type: "function", function: { name: `f${index}` } })) }),
    properties: (count) => ({ tools: [{ type: "function", function: { name: "f", parameters: schema(count) } }] }),
  },
  responses: {
    ...anywhere,
    parts: (count) => ({ turns: [{ role: "user", content: times(count, () => ({ type: "input_text", text: "x" })) }] }),
    calls: (count) => ({
      turns: [
        user,
        ...times(count, (index) => [
          { type: "function_call", call_id: `c${index}`, name: "f", arguments: "{}" },
          { type: "function_call_output", call_id: `c${index}`, output: "x" },
        ]),
      ],
    }),
    reasoning: (count) => ({
      turns: [
        user,
        ...times(count, (index) => ({
          type: "reasoning",
          id: `r${index}`,
          summary: [{ type: "summary_text", text: "x" }],
        })),
      ],
    }),
    tools: (count) => ({ tools: times(count, (index) => ({ type: "function", name: `f${index}` })) }),
    properties: (count) => ({ tools: [{ type: "function", name: "f", parameters: schema(count) }] }),
  },
  messages: {
    ...anywhere,
    parts: (count) => ({ turns: [{ role: "user", content: times(count, () => ({ type: "text", text: "x" })) }] }),
    calls: (count) => {
      const call = (index: number) => ({ type: "tool_use", id: `c${index}`, name: "f", input: {} });
      const result = (index: number) => ({ type: "tool_result", tool_use_id: `c${index}`, content: "x" });
      const turns = [user, { role: "assistant", content: times(count, call) }];
      return { turns: [...turns, { role: "user", content: times(count, result) }] };
    },
    system: (count) => ({ system: times(count, () => ({ type: "text", text: "x" })) }),
    tools: (count) => ({ tools: times(count, (index) => ({ name: `f${index}`, input_schema: { type: "object" } })) }),
    properties: (count) => ({ tools: [{ name: "f", input_schema: schema(count) }] }),
  },
};

const KINDS: readonly UpstreamKind[] = ["chat", "responses", "messages"];

const timeouts = { connectMs: 1000, firstByteMs: 1000, idleMs: 1000, totalMs: 1000 };
const upstreams = createUpstreams({
  chat: { kind: "openai-chat", ...configured() },
  responses: { kind: "openai-responses", ...configured() },
  messages: { kind: "anthropic-messages", ...configured() },
});

function configured() {
  const limits = { eventBytes: 2 ** 24, eventValues: 1_000_000, answerBytes: 2 ** 26 };
  return { baseUrl: "http://127.0.0.1:9", apiKey: undefined, ask: "as-called" as const, timeouts, headers: {}, limits };
}

function write(format: Format, { turns = [user], ...rest }: ReturnType<Part>): Buffer {
  const list = format === "responses" ? "input" : "messages";
  const required = format === "messages" ? { max_tokens: 5 } : {};
  return Buffer.from(JSON.stringify({ model: "attune/m", ...required, [list]: turns, ...rest }));
}

const counts = createCounts(new Registry(), () => "");

/**
 * Takes a request the whole way up to the upstream's wire, its record and its headers; the upstream answers with two
 * words.
 */
async function serve(format: Format, kind: UpstreamKind, body: Buffer): Promise<void> {
  const decoded = CODECS[format].decodeRequest(objectBody(await parseBody(body, LIMITS)));
  const translating = upstreams.get(kind);
  const upstream: Upstream = {
    name: "up",
    prepare: (input, target) => ({ losses: translating?.prepare(input, target).losses ?? [], send: answer }),
  };
  const recorder: Recorder = {
    accepting: true,
    offer(record) {
      recordToRow(record);
      counts.record(record);
    },
    offerProvisional() {},
  };
  const service = createInferenceService({
    conversations: noConversations,
    estimateTokens: async () => 1,
    signingKey: TEST_KEY,
    router: stubRouter(stubPlan(upstream)),
    recorder,
    inFlight: new InFlight(),
    archive: stubArchive(),
    background: NO_BACKGROUND,
    validate: () => {},
  });
  const response = await service.generate(decoded.input, CALLER);
  CODECS[format].encodeResponse(response, decoded);
  listLosses(response.serving?.translationLosses ?? [], (place) =>
    CODECS[format].formatFieldPath(place, decoded.input),
  );
}

async function answer(sink: EventSink): Promise<void> {
  await sink(textEvents("Hello", "there"));
}

describe("what a caller's request costs", () => {
  for (const format of FORMATS) {
    for (const [name, part] of Object.entries(PARTS[format])) {
      it.each(KINDS)(`grows with its length: ${name}, from ${format} to %s`, async (kind) => {
        const [small, large] = [write(format, part(COUNT)), write(format, part(COUNT * FACTOR))];
        const work = {
          small: () => serve(format, kind, small),
          large: () => serve(format, kind, large),
          factor: FACTOR,
        };
        expect(await workRatio(work, MOST)).toBeLessThanOrEqual(MOST);
      });
    }
  }
});
