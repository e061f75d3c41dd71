import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import {
  decodeMessage,
  encodeMessage,
  IDS_PER_QUESTION,
  type KnownInference,
  type Message,
  splitAnswers,
} from "../../../src/store/peers/message.ts";

/** PostgreSQL tells payloads that are shorter than 8000 bytes. */
const MOST_BYTES = 7999;

const MESSAGES: readonly (readonly [message: Message, text: string])[] = [
  [{ kind: "hello", from: "a" }, '{"kind":"hello","from":"a"}'],
  [{ kind: "here", from: "a" }, '{"kind":"here","from":"a"}'],
  [{ kind: "bye", from: "a" }, '{"kind":"bye","from":"a"}'],
  [
    { kind: "ask", from: "a", number: 7, projectId: "p", ids: ["1", "2"], waits: true },
    '{"kind":"ask","from":"a","number":7,"projectId":"p","ids":["1","2"],"waits":true}',
  ],
  [
    { kind: "tell", from: "b", to: "a", number: 7, known: [["1", "m", "a\nb"]], isLast: false },
    '{"kind":"tell","from":"b","to":"a","number":7,"known":[["1","m","a\\nb"]],"isLast":false}',
  ],
  [{ kind: "written", from: "b", to: "a", id: "1" }, '{"kind":"written","from":"b","to":"a","id":"1"}'],
  [
    { kind: "chosen", from: "a", choices: [["k", "metadata", "run\n1", "base", "good", 7, true]] },
    '{"kind":"chosen","from":"a","choices":[["k","metadata","run\\n1","base","good",7,true]]}',
  ],
];

describe("encodeMessage()", () => {
  it.each(MESSAGES)("writes %o in one line", (message, text) => {
    expect(encodeMessage(message)).toBe(text);
    expect(text).not.toContain("\n");
  });

  it("writes a question that PostgreSQL takes", () => {
    const ids = Array.from({ length: IDS_PER_QUESTION }, newId);
    const number = Number.MAX_SAFE_INTEGER;
    const text = encodeMessage({ kind: "ask", from: newId(), number, projectId: newId(), ids, waits: false });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MOST_BYTES);
  });
});

describe("decodeMessage()", () => {
  it.each(MESSAGES)("reads %o", (message, text) => {
    expect(decodeMessage(text)).toEqual(message);
  });

  it.each([
    "",
    "{",
    "null",
    "7",
    "[]",
    '{"kind":"here"}',
    '{"from":"a"}',
    '{"kind":"here","from":7}',
    '{"kind":"greets","from":"a"}',
    '{"kind":"ask","from":"a","number":"7","projectId":"p","ids":[],"waits":true}',
    '{"kind":"ask","from":"a","number":7,"projectId":"p","ids":[7],"waits":true}',
    '{"kind":"ask","from":"a","number":7,"projectId":"p","ids":"1","waits":true}',
    '{"kind":"ask","from":"a","number":7,"projectId":"p","ids":[]}',
    '{"kind":"tell","from":"b","to":"a","number":7,"known":[["1","m"]],"isLast":true}',
    '{"kind":"tell","from":"b","to":"a","number":7,"known":[["1","m",null]],"isLast":true}',
    '{"kind":"tell","from":"b","to":"a","number":7,"known":[]}',
    '{"kind":"tell","from":"b","number":7,"known":[],"isLast":true}',
    '{"kind":"written","from":"b","id":"1"}',
    '{"kind":"chosen","from":"a"}',
    '{"kind":"chosen","from":"a","choices":[["k","metadata","run","base","good",7]]}',
    '{"kind":"chosen","from":"a","choices":[["k","metadata","run","base",null,7,true]]}',
    '{"kind":"chosen","from":"a","choices":[["k","metadata","run","base","good","7",true]]}',
    '{"kind":"written","from":"b","to":"a"}',
  ])("passes over %s, which another version may have meant", (text) => {
    expect(decodeMessage(text)).toBeUndefined();
  });
});

describe("splitAnswers()", () => {
  it("tells at least once, though there is nothing to tell", () => {
    expect(splitAnswers([])).toEqual([[]]);
  });

  it("divides by bytes in order, so that PostgreSQL takes each answer", () => {
    const known = Array.from(
      { length: 300 },
      (_, index): KnownInference => [newId(), "m".repeat(index), '"長👋"'.repeat(index % 40)],
    );
    const answers = splitAnswers(known);
    expect(answers.flat()).toEqual(known);
    const sizes = answers.map((part) =>
      Buffer.byteLength(
        encodeMessage({ kind: "tell", from: newId(), to: newId(), number: 1e15, known: part, isLast: false }),
      ),
    );
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MOST_BYTES);
    // Filled, and not one for each: all but the last have most of what may be in one.
    expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThan(5000);
  });
});
