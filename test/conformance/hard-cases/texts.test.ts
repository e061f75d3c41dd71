import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Answer } from "../../support/scripted-upstream.ts";
import { FORMATS, PATH } from "../../support/sdk-calls.ts";
import { MODEL } from "../../support/sdk-fixture.ts";
import { UPSTREAM_KINDS, type UpstreamKind } from "../../support/upstream-frames.ts";
import { ask } from "./ask.ts";
import { answerSaying, useHardCases } from "./hard-case.ts";
import { promptIn, toolsIn } from "./tool-members.ts";

const cases = useHardCases();
const routes = FORMATS.flatMap((format) => UPSTREAM_KINDS.map((kind) => ({ format, kind })));

/** Emoji with joiners and skin tones, Chinese, a combining mark, line separators, and NUL. */
const HARD = [
  "👩🏽‍🚀👨‍👩‍👧",
  "漢字かな",
  "e\u0301n\u0303",
  "\u2028\u2029",
  "a\u0000b",
  "\ufeff",
  "data: x\n\nevent: y\n",
];

/** Scripts an answer whose bytes arrive in pieces that pay no heed to characters. */
function scriptCut(kind: UpstreamKind, text: readonly string[], cuts: readonly number[]): void {
  const { streamed, whole } = answerSaying(kind, { text, calls: [] });
  cases().upstream.answer({ streamed: cut(streamed, cuts), whole: cut(whole, cuts) });
}

function cut(answer: Answer, cuts: readonly number[]): Answer {
  const bytes = Buffer.from(answer.steps.join(""));
  const at = [...new Set(cuts.map((place) => place % bytes.length))].sort((left, right) => left - right);
  const steps = [...at, bytes.length].map((end, index) => bytes.subarray(index === 0 ? 0 : at[index - 1], end));
  // Without a wait between them, pieces would arrive as one.
  return { ...answer, steps: steps.flatMap((step) => [step, { waitMs: 1 }]) };
}

describe.each(routes)("texts of a $kind upstream in $format", ({ format, kind }) => {
  const pieces = fc.array(fc.oneof(fc.constantFrom(...HARD), fc.string({ unit: "grapheme", maxLength: 6 })), {
    minLength: 1,
    maxLength: 4,
  });
  const cuts = fc.array(fc.nat(), { minLength: 1, maxLength: 6 });

  it("case 11: are equal to the byte wherever the upstream's bytes are cut", async () => {
    await fc.assert(
      fc.asyncProperty(pieces, cuts, async (text, places) => {
        scriptCut(kind, text, places);
        for (const stream of [true, false]) {
          const said = await ask(cases(), format, { model: MODEL[kind], stream });
          expect(said.text).toBe(text.join(""));
        }
      }),
      { numRuns: 5 },
    );
  });

  it("case 11: are equal with every character cut in two, in a stream and whole", async () => {
    const text = HARD.join("");
    const answer = answerSaying(kind, { text: [text], calls: [] });
    for (const stream of [false, true]) {
      const { length } = Buffer.from((stream ? answer.streamed : answer.whole).steps.join(""));
      scriptCut(
        kind,
        [text],
        Array.from({ length: 40 }, (_none, index) => Math.floor((index * length) / 40) + 1),
      );
      expect(await ask(cases(), format, { model: MODEL[kind], stream })).toMatchObject({ text });
    }
  });

  it("case 11: stay whole when a pair of surrogates comes in two deltas", async () => {
    cases().says(kind, { text: ["a\ud83d", "\ude80b"], calls: [] });
    expect((await ask(cases(), format, { model: MODEL[kind], stream: true })).text).toBe("a🚀b");
  });

  it("case 11: arguments keep lone surrogates, NUL and line separators", async () => {
    const pieces = ['{"s":"\\ud83d', '\\u0000\u2028\\udc00"}'];
    cases().says(kind, { calls: [{ id: "call_1", name: "f", pieces }] });
    for (const stream of [true, false]) {
      const { calls } = await ask(cases(), format, { model: MODEL[kind], stream });
      expect(JSON.parse(calls[0]?.arguments ?? "")).toEqual({ s: "\ud83d\u0000\u2028\udc00" });
    }
  });
});

describe.each(routes)("what $format sends to a $kind upstream", ({ format, kind }) => {
  it("case 11: is equal to the character", async () => {
    cases().script(kind, "text");
    const text = HARD.join("");
    const { status } = await cases().post(format, { model: MODEL[kind], ...promptIn(format, text) });
    expect(status).toBe(200);
    expect(JSON.stringify(cases().lastBody())).toContain(JSON.stringify(text).slice(1, -1));
  });

  it("case 12: keeps numbers of tools' schemas that no double holds", async () => {
    cases().script(kind, "text");
    const [tool] = toolsIn(format, "f");
    const schema = JSON.stringify(tool).replace('{"type":"string"}', '{"type":"integer","maximum":9007199254740993}');
    const { url, headers } = cases().service;
    const body = `${JSON.stringify({ model: MODEL[kind], max_tokens: 5, ...promptIn(format, "x") }).slice(0, -1)},"tools":[${schema}]}`;
    const response = await fetch(url + PATH[format], { method: "POST", headers, body });
    expect(response.status).toBe(200);
    expect(cases().upstream.received.at(-1)?.body).toContain('"maximum":9007199254740993');
  });
});
