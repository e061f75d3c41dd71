import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type JsonObject, parseJson } from "../../../src/formats/shared/json.ts";
import { jsonBytes } from "../../../src/formats/shared/json-bytes.ts";
import { JsonText } from "../../../src/formats/shared/json-text.ts";

const long = "It is a long text. ".repeat(60);
const write = (value: JsonObject) => jsonBytes(value).toString();
const said = (content: string) => ({ messages: [{ role: "user", content }] });
const literal = (text: string) => `{"messages":[{"role":"user","content":"${text}"}]}`;

describe("jsonBytes()", () => {
  it("writes a long text as it is", () => {
    expect(write(said(long))).toBe(literal(long));
  });

  it("escapes what RFC 8259 wants escaped, by letters where there are any", () => {
    const characters = '"\\\b\f\n\r\t\u0000\u0001\u001f\u007f/é\u2028\u{1f600}';
    const escapes = `${String.raw`\"\\\b\f\n\r\t\u0000\u0001\u001f`}\u007f/é\u2028\u{1f600}`;
    // At each of the four places of a word, and at the end of the text.
    for (const before of ["", "a", "ab", "abc"])
      expect(write(said(before + characters + long + characters))).toBe(literal(before + escapes + long + escapes));
  });

  it("writes U+FFFD for half of a pair of surrogates", () => {
    expect(write(said(`${long}\ud83d`))).toBe(literal(`${long}\ufffd`));
  });

  it("takes no pair of surrogates apart, wherever a text is parted to be looked at", () => {
    for (let before = 16_380; before < 16_390; before++) {
      const text = "x".repeat(before) + "\u{1f600}".repeat(40_000);
      expect(write(said(text)) === literal(text)).toBe(true);
    }
  });

  it("has room for a text of nothing but what is escaped, and gives it back", () => {
    const text = "\u0000".repeat(500_000);
    expect(write(said(text)) === literal(String.raw`\u0000`.repeat(500_000))).toBe(true);
    expect(write(said(long))).toBe(literal(long));
  });

  it("returns memory of its own", () => {
    const first = jsonBytes(said(long));
    jsonBytes(said(long.toUpperCase()));
    expect(first.toString()).toBe(literal(long));
  });

  it("is not misled by a request that has the words of its place-holder", () => {
    const place = "(a long text of this request)";
    const body = { [place]: place, ...said(long), other: `"${place}"`, list: [place, long, place] };
    expect(JSON.parse(write(body))).toEqual(body);
  });

  it("changes nothing of what it is given", () => {
    const body = Object.freeze({ system: long, list: Object.freeze([long, Object.freeze({ text: long })]) });
    expect(JSON.parse(write(body))).toEqual({ system: long, list: [long, { text: long }] });
  });

  it("keeps numbers that a double cannot hold as they were written", () => {
    const text = `{"a":9007199254740993,"b":"${long}","c":[1e400,"${long}"],"d":${"1".repeat(900)}}`;
    expect(write(parseJson(text) as JsonObject)).toBe(text);
  });

  it("writes JSON that is at hand as text as it is", () => {
    const schema = new JsonText('{ "type":"object", "max":9007199254740993 }');
    const body = {
      tools: [
        { name: "f", schema },
        { name: "g", schema },
      ],
      text: long,
      last: schema,
    };
    const text = '{ "type":"object", "max":9007199254740993 }';
    expect(write(body)).toBe(
      `{"tools":[{"name":"f","schema":${text}},{"name":"g","schema":${text}}],"text":"${long}","last":${text}}`,
    );
  });

  it("writes it without its spaces where it is written in the plain way", () => {
    const schema = new JsonText('{ "max":9007199254740993 }');
    const body = { place: "(a long text of this request)", schema };
    expect(write(body)).toBe('{"place":"(a long text of this request)","schema":{"max":9007199254740993}}');
    expect(JSON.stringify(body)).toBe(write(body));
    const half = { schema: new JsonText('{"a":"\ud83d"}') };
    expect(write(half)).toBe('{"schema":{"a":"\ufffd"}}');
  });

  it("writes the bytes of JSON.stringify, whatever it is given", () => {
    const place = fc.constantFrom("(a long text of this request)", '"(a long text of this request)"');
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.string(), place);
    const repeated = fc.tuple(text, fc.integer({ min: 1, max: 2000 })).map(([some, times]) => some.repeat(times));
    const name = fc.oneof(fc.string(), fc.constantFrom("__proto__", "toJSON", "tools", "10", "2", "rawJSON"));
    const json = fc.json().map((text) => new JsonText(JSON.stringify(JSON.parse(text))));
    const leaf = fc.oneof(repeated, text, fc.double(), fc.boolean(), fc.constantFrom(null, undefined), json);
    const { object } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie("value"), { maxLength: 4 }), tie("object")),
      object: fc.array(fc.tuple(name, tie("value")), { maxLength: 5 }).map((members) => Object.fromEntries(members)),
    }));
    const property = fc.property(object, (value) => {
      const expected = Buffer.from(JSON.stringify(value));
      expect(jsonBytes(value as JsonObject).equals(expected)).toBe(true);
    });
    fc.assert(property, { numRuns: 500 });
  });
});
