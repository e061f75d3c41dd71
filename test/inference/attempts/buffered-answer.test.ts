import { describe, expect, it } from "vitest";
import { BufferedAnswer } from "../../../src/inference/attempts/buffered-answer.ts";
import { ResponseFold } from "../../../src/inference/checks/response-fold.ts";
import { textEvents } from "../../support/stub-upstream.ts";

describe("BufferedAnswer", () => {
  it("gives back what it was given, in batches that hold up nobody", () => {
    const pieces = Array.from({ length: 1200 }, (_, at) => `${at} `);
    const answer = new BufferedAnswer("an id");
    const events = textEvents(...pieces);
    for (const event of events) answer.add(event);
    const batches = [...answer.batches()];
    expect(batches.map(({ length }) => length)).toEqual([500, 500, 204]);
    const again = batches.flat();
    expect(again.slice(1)).toEqual(events.slice(1));
    expect(again[0]?.event.value).toMatchObject({ id: "an id", usage: { inputTokens: 5 } });
  });

  it("knows the answer as far as it has come", () => {
    const answer = new BufferedAnswer("an id");
    const fold = new ResponseFold();
    const events = textEvents("Hel", "lo");
    for (const event of events.slice(0, 3)) {
      answer.add(event);
      fold.add(event);
    }
    expect(answer.isFinished).toBe(false);
    expect(answer.response.content).toEqual(fold.response.content);
    for (const event of events.slice(3)) answer.add(event);
    expect(answer.isFinished).toBe(true);
  });
});
