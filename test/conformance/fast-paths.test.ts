import { create, toJson } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { GenerateResponseSchema, InferenceInputSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { JsonTemplate } from "../../src/wire/json-template.ts";
import { readWhenWritten } from "../support/read-when-written.ts";
import { type Harness, startHarness } from "./harness.ts";
import { INBOUND, type Inbound, type Topic, UPSTREAM_KINDS, type UpstreamKind } from "./topic.ts";
import { topics } from "./topics/index.ts";

/** Times each piece of text comes: those behind the first are read without being parsed. */
const TIMES = 4;

/** What the events of a piece of text have, in each format. */
const PIECE: Readonly<Record<UpstreamKind, RegExp>> = {
  "openai-chat": /"delta":\{"content":"/,
  "openai-responses": /"type":"response\.output_text\.delta"/,
  "anthropic-messages": /"type":"text_delta"/,
};

function repeated(frames: string, kind: UpstreamKind): string {
  const times = (frame: string) => (PIECE[kind].test(frame) ? TIMES : 1);
  return frames
    .split("\n\n")
    .flatMap((frame) => Array.from({ length: times(frame) }, () => frame))
    .join("\n\n");
}

/** Blanks that mean nothing, and of which no two events have as many: each event is then parsed. */
function unlike(frames: string): string {
  let count = 0;
  return frames.replace(/^data: \{/gm, () => `data: {${" ".repeat(++count)}`);
}

let harness: Harness;
const read = vi.spyOn(JsonTemplate.prototype, "read");
/** What was answered twice: the inferences of a way that is read quickly, and of the same where each event is parsed. */
const answered: { readonly name: string; readonly ids: readonly string[] }[] = [];
let unparsed = 0;

beforeAll(async () => {
  harness = await startHarness();
});

afterAll(async () => {
  await harness.close();
  read.mockRestore();
});

/** Asks, the upstream saying each piece of text several times. Returns how many events were not parsed, too. */
async function run(topic: Topic, inbound: Inbound, kind: UpstreamKind, change: (frames: string) => string) {
  read.mockClear();
  const streamed = change(repeated(topic.upstreamAnswers[kind].streamed, kind));
  const answer = { ...topic.upstreamAnswers[kind], streamed };
  const asked: Topic = { ...topic, upstreamAnswers: { ...topic.upstreamAnswers, [kind]: answer } };
  const { headers: _ofTheirOwn, id, ...said } = await harness.run(asked, inbound, kind, true);
  return { said, id, quick: read.mock.results.filter(({ value }) => value !== undefined).length };
}

/** What no two inferences have in common: times, and what is drawn. */
const OWN: ReadonlySet<string> = new Set([
  ...["startedAt", "latencyMs", "timeToFirstTokenMs", "createdAt", "completedAt"],
  ...["duration", "firstEventAfter", "startedAfter", "decision", "family"],
]);

async function recordOf(id: string): Promise<unknown> {
  const { row, content } = await readWhenWritten(harness.store, id);
  if (content === undefined) throw new Error(`${id} has no content`);
  const { dialect, echo, background, ...input } = content.input;
  const asked = toJson(InferenceInputSchema, create(InferenceInputSchema, input));
  const record = { row, dialect, echo, background, asked, answered: toJson(GenerateResponseSchema, content.output) };
  const common = JSON.stringify(record, (name, value: unknown) => {
    // What goes on as it came is kept with its blanks.
    if (name === "json" && typeof value === "string") return JSON.parse(value) as unknown;
    return OWN.has(name) ? undefined : value;
  });
  return JSON.parse(common.replaceAll(id, "<id>"));
}

const cells = topics.flatMap((topic) =>
  INBOUND.flatMap((inbound) => UPSTREAM_KINDS.map((kind) => ({ topic, inbound, kind }))),
);
const named = cells.map((cell) => ({ ...cell, name: `${cell.topic.name}: ${cell.inbound} to ${cell.kind}` }));

describe("what is read without being parsed", () => {
  it.each(named)("is answered as all else: $name", async ({ name, topic, inbound, kind }) => {
    const quick = await run(topic, inbound, kind, (frames) => frames);
    const plain = await run(topic, inbound, kind, unlike);
    expect(quick.said).toEqual(plain.said);
    expect(plain.quick).toBe(0);
    unparsed += quick.quick;
    if (quick.id !== undefined && plain.id !== undefined) answered.push({ name, ids: [quick.id, plain.id] });
  });

  it("is recorded as all else", async () => {
    expect(answered.length).toBeGreaterThan(cells.length / 2);
    expect(unparsed).toBeGreaterThan(2 * cells.length);
    for (const { name, ids } of answered) {
      const [quick, plain] = await Promise.all(ids.map(recordOf));
      expect({ name, record: quick }).toEqual({ name, record: plain });
    }
  });
});
