import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { JsonTemplate } from "../../src/wire/json-template.ts";
import { type Harness, startHarness } from "./harness.ts";
import { PIECE, unlike } from "./plain-frames.ts";
import { recordOf } from "./record-of.ts";
import { INBOUND, type Inbound, type Topic, UPSTREAM_KINDS, type UpstreamKind } from "./topic.ts";
import { topics } from "./topics/index.ts";

/** Times each piece of text comes: those behind the first are read without being parsed. */
const TIMES = 4;

function repeated(frames: string, kind: UpstreamKind): string {
  const times = (frame: string) => (PIECE[kind].test(frame) ? TIMES : 1);
  return frames
    .split("\n\n")
    .flatMap((frame) => Array.from({ length: times(frame) }, () => frame))
    .join("\n\n");
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
      const [quick, plain] = await Promise.all(ids.map((id) => recordOf(harness.store, id)));
      expect({ name, record: quick }).toEqual({ name, record: plain });
    }
  });
});
