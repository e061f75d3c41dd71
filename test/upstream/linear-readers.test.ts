import { describe, expect, it } from "vitest";
import { FORMATS } from "../support/sdk-calls.ts";
import { workRatio } from "../support/work-ratio.ts";
import { REPEATED_PARTS } from "./repeated-parts.ts";
import { serveAnswer } from "./serve-answer.ts";

/** How often a part comes in the smaller answer. */
const COUNT = 300;
/** How much more often it comes in the larger one. */
const FACTOR = 10;
/** The larger answer may take so many times as long as the smaller one. */
const MOST = 15;

describe("what an upstream's answer costs", () => {
  for (const [position, { kind, name, write }] of REPEATED_PARTS.entries()) {
    it(`grows with its length: ${name}, ${kind}`, async () => {
      const format = FORMATS[position % FORMATS.length] ?? "chat";
      const [small, large] = [write(COUNT), write(COUNT * FACTOR)].map((text) => Buffer.from(text)) as [Buffer, Buffer];
      const serve = (body: Buffer): Promise<void> => serveAnswer(kind, format, body);
      const work = { small: () => serve(small), large: () => serve(large), factor: FACTOR };
      expect(await workRatio(work, MOST)).toBeLessThanOrEqual(MOST);
    });
  }
});
