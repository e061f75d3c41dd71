import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonTemplate } from "../../src/wire/json-template.ts";

const PATHS = [["delta", "text"], ["number"], ["padding"]] as const;

interface Said {
  readonly text: unknown;
  readonly number?: unknown;
  readonly padding?: unknown;
}

function write({ text, ...rest }: Said): string {
  return JSON.stringify({ id: "a", delta: { type: "x", text }, list: [1, null, "x"], ...rest });
}

function learn(text: string, paths: readonly (readonly (string | number)[])[] = PATHS): JsonTemplate | undefined {
  return JsonTemplate.learn(text, JSON.parse(text), paths);
}

describe("JsonTemplate", () => {
  it("reads what differs, in the order of the paths, wherever it stands", () => {
    const template = learn('{"padding":"..","number":7,"delta":{"text":"one"},"last":true}');
    expect(template?.read('{"padding":"","number":0,"delta":{"text":"two"},"last":true}')).toEqual(["two", 0, ""]);
  });

  it("reads strings as they are meant", () => {
    const text = '{"delta":{"text":"a \\"b\\" \\\\ \\u00e9 \\n 👋"}}';
    expect(learn('{"delta":{"text":"x"}}')?.read(text)).toEqual(['a "b" \\ é \n 👋']);
  });

  it("finds a value that others are equal to", () => {
    const template = learn('{"a":"x","x":"x","delta":{"type":"x","text":"x"},"b":["x"]}');
    expect(template?.read('{"a":"x","x":"x","delta":{"type":"x","text":"y"},"b":["x"]}')).toEqual(["y"]);
    expect(template?.read('{"a":"y","x":"x","delta":{"type":"x","text":"x"},"b":["x"]}')).toBeUndefined();
  });

  it("takes of a member that is there twice the one that counts", () => {
    const template = learn('{"delta":{"text":"a","text":"a"}}');
    expect(template?.read('{"delta":{"text":"a","text":"b"}}')).toEqual(["b"]);
    expect(template?.read('{"delta":{"text":"b","text":"a"}}')).toBeUndefined();
  });

  it.each([
    ["another member", '{"delta":{"text":"x"},"more":1}'],
    ["another order", '{"number":1,"delta":{"text":"x"}}'],
    ["another value elsewhere", '{"delta":{"text":"x"},"number":1,"a":2}'],
    ["a longer number", '{"delta":{"text":"x"},"number":1234567890123456}'],
    ["a number with a sign", '{"delta":{"text":"x"},"number":-1}'],
    ["a number with a point", '{"delta":{"text":"x"},"number":1.5}'],
    ["a number with a zero before it", '{"delta":{"text":"x"},"number":01}'],
    ["no number", '{"delta":{"text":"x"},"number":}'],
    ["a string that does not end", '{"delta":{"text":"x},"number":1}'],
    ["a string with a line break as it is", '{"delta":{"text":"x\ny"},"number":1}'],
    ["a string with an escape that there is not", '{"delta":{"text":"\\x"},"number":1}'],
    ["null for a string", '{"delta":{"text":null},"number":1}'],
    ["something behind it", '{"delta":{"text":"x"},"number":1} '],
    ["half of it", '{"delta":{"text":"x"'],
    ["nothing", ""],
  ])("does not read a text with %s", (_, text) => {
    expect(learn('{"delta":{"text":"a"},"number":5}')?.read(text)).toBeUndefined();
  });

  it.each([
    ["has no value there", '{"other":1}'],
    ["has null there", '{"delta":{"text":null}}'],
    ["has a number there that is none to count with", '{"delta":{"text":"a"},"number":-5}'],
    ["has a number that a double does not hold", '{"delta":{"text":"a"},"other":12345678901234567}'],
    ["writes the value in another way", '{"delta":{"text":"\\u0061"}}'],
    ["is long", `{"delta":{"text":"${"a".repeat(3000)}"}}`],
  ])("is not learned from a text that %s", (_, text) => {
    expect(learn(text)).toBeUndefined();
  });

  it("returns what JSON.parse() does, for whatever it returns anything", () => {
    const said = fc.record(
      { text: fc.string({ unit: "binary" }), number: fc.nat(), padding: fc.string() },
      { requiredKeys: ["text"] },
    );
    fc.assert(
      fc.property(said, said, (one, other) => {
        const template = learn(write(one));
        const values = template?.read(write(other));
        const isAlike = Object.keys(one).sort().join() === Object.keys(other).sort().join();
        // The order of members is that of the record, so that equal members make a text that is alike.
        if (template !== undefined && isAlike) expect(values).toBeDefined();
        if (values !== undefined) {
          const [text, number, padding] = values;
          expect(JSON.parse(write(other))).toEqual(JSON.parse(write({ text, number, padding })));
        }
      }),
    );
  });

  it("returns nothing of a text that JSON.parse() refuses, and of others the same", () => {
    const whole = write({ text: "a piece", number: 12, padding: "...." });
    const template = learn(whole);
    const change = fc.record({ at: fc.nat(whole.length), cut: fc.nat(3), put: fc.string({ maxLength: 3 }) });
    fc.assert(
      fc.property(change, ({ at, cut, put }) => {
        const text = whole.slice(0, at) + put + whole.slice(at + cut);
        const values = template?.read(text);
        if (values === undefined) return;
        const [said, number, padding] = values;
        expect(JSON.stringify(JSON.parse(text))).toBe(write({ text: said, number, padding }));
      }),
      { numRuns: 5000 },
    );
  });
});
