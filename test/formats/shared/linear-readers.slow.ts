import { describe, expect, it } from "vitest";
import { FORMATS } from "../../support/sdk-calls.ts";
import { UPSTREAM_KINDS } from "../../support/upstream-frames.ts";
import { workRatio } from "../../support/work-ratio.ts";
import { REPEATED_PARTS } from "./repeated-parts.ts";
import { REPEATED_WHOLES } from "./repeated-wholes.ts";
import { serveAnswer } from "./serve-answer.ts";

/** How often a part comes in the smaller answer. */
const COUNT = 300;
/** How much more often it comes in the larger one. */
const FACTOR = 10;
/** The larger answer may take so many times as long as the smaller one. */
const MOST = 15;

describe("what an upstream's answer costs", () => {
  for (const [position, { kind, name, write }] of [...REPEATED_PARTS, ...REPEATED_WHOLES].entries()) {
    it(`grows with its length: ${name}, ${kind}`, async () => {
      const format = FORMATS[position % FORMATS.length] ?? "chat";
      const [small, large] = [write(COUNT), write(COUNT * FACTOR)].map((text) => Buffer.from(text)) as [Buffer, Buffer];
      const serve = (body: Buffer): Promise<void> => serveAnswer(kind, format, body);
      const work = { small: () => serve(small), large: () => serve(large), factor: FACTOR };
      expect(await workRatio(work, MOST)).toBeLessThanOrEqual(MOST);
    });
  }

  const refusals = UPSTREAM_KINDS.flatMap((kind) => [
    // What reads a value calls itself for each of its levels: that there are too many has to be seen before.
    {
      kind,
      name: "is nested too deep",
      value: (n: number) => "[".repeat(n) + "]".repeat(n),
      says: /nested deeper than 1024/,
    },
    { kind, name: "has a number of any length", value: (n: number) => "1".repeat(n), says: /JSON/ },
  ]);
  it.each(refusals)("is little where a whole answer is refused that $name: $kind", async ({ kind, value, says }) => {
    const refuse = (count: number) => (): Promise<void> =>
      expect(serveAnswer(kind, "chat", Buffer.from(`{"content":${value(count)}}`))).rejects.toThrow(says);
    const work = { small: refuse(100_000), large: refuse(100_000 * FACTOR), factor: FACTOR };
    expect(await workRatio(work, MOST)).toBeLessThanOrEqual(MOST);
  });
});
