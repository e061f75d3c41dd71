import { describe, expect, it } from "vitest";
import { type JsonQuestion, SchemaJudge } from "../../src/inference/checks/schema-judge.ts";

const judge = new SchemaJudge();

/** Says of a JSON text whether a schema accepts it. */
function judged(json: string, schema: object): string | undefined {
  const text = JSON.stringify(schema);
  const question: JsonQuestion = { text: { json }, schema: { json: text, digest: text }, root: "any" };
  return judge.judge([question]).judgements[0];
}

const named = { properties: { driver: {}, constructor: {} }, required: ["driver", "constructor"] };
const reference = { $defs: { short: { type: "string" } }, $ref: "#/$defs/short", maxLength: 2 };
const oneWay = { properties: { id: {}, secret: { writeOnly: true } }, required: ["id", "secret"] };

describe("an answer of which readings of its schema differ", () => {
  it.each<[string, string, object]>([
    ["a fraction of decimal places", "19.99", { multipleOf: 0.01 }],
    ["a large fraction", "123456789.01", { multipleOf: 0.01 }],
    ["a multiple of a small power of ten", "0.000003", { multipleOf: 0.000001 }],
    ["a number beyond doubles", "1e400", { type: "number" }],
    ["null of a nullable schema", "null", { type: "string", nullable: true }],
    ["null among the values of a nullable schema", "null", { type: "string", enum: ["a", null], nullable: true }],
    ["code points", '"👍👍"', { type: "string", maxLength: 2 }],
    ["an integer with a point", "2.0", { type: "integer", const: 2 }],
  ])("fits by the specification: %s", (_name, json, schema) => {
    expect(judged(json, schema)).toBe("fits");
  });

  it.each<[string, string, object]>([
    ["characters of several code points", '"👨‍👩‍👧"', { maxLength: 1 }],
    ["a line break of two characters", '"a\\r\\nb"', { maxLength: 3 }],
    ["bytes", '"é"', { minLength: 2 }],
    ["digits of other scripts", '"٣"', { pattern: "^\\d$" }],
    ["letters of other scripts", '"größe"', { pattern: "^[\\w-]+$" }],
    ["a word boundary of other scripts", '"naïve"', { pattern: "^na\\B" }],
    ["a word boundary that must not be", '"größe"', { not: { pattern: "^gr\\b" } }],
    ["a line feed at the end", '"2024\\n"', { pattern: "^[0-9]{4}$" }],
    ["a carriage return for any character", '"a\\rb"', { pattern: "^a.b$" }],
    ["names of other scripts", '{"größe":1}', { patternProperties: { "^\\w+$": {} }, additionalProperties: false }],
    ["equal numbers written otherwise", "[1,1.0]", { uniqueItems: true }],
    ["zero and less than zero", "[0,-0]", { uniqueItems: true }],
    ["more digits than a double has", "9007199254740993", { exclusiveMinimum: 9007199254740992 }],
    ["null beside the values of a nullable schema", "null", { type: "string", enum: ["a"], nullable: true }],
    ["null beside the only value of one", "null", { type: "string", const: "a", nullable: true }],
    ["a repeated name", '{"a":1,"a":"x"}', { properties: { a: { type: "integer" } } }],
    ["what stands beside a reference", '"abc"', reference],
    ["what requests alone must have", '{"id":1}', oneWay],
    ["what requests alone must have, further in", '[{"id":1}]', { items: oneWay }],
    ["two code units of a character", '"👍"', { pattern: "^.{2,}$" }],
    ["what a class leaves out, behind a bracket", '"٣"', { not: { pattern: "^[^\\]\\d]$" } }],
    ["what must not match", '"٣"', { not: { not: { pattern: "^\\d$" } } }],
  ])("is not judged: %s", (_name, json, schema) => {
    expect(judged(json, schema)).toBe("unusable");
  });

  it.each<[string, string, object]>([
    ["null where nothing allows it", "null", { type: "string", enum: ["a"] }],
    ["another value than those of a nullable schema", '"b"', { type: "string", enum: ["a"], nullable: true }],
    ["a fraction", "19.995", { multipleOf: 0.01 }],
    ["a multiple", "7", { multipleOf: 2 }],
    ["a number as text", '"1"', { type: "number" }],
    ["a fraction as an integer", "2.5", { type: "integer" }],
    ["a long text", '"abc"', { maxLength: 2 }],
    ["a short text", '"é"', { minLength: 3 }],
    ["a pattern", '"abc"', { pattern: "^\\d+$" }],
    ["a pattern, beyond ASCII", '"größe"', { pattern: "^[a-z]+$" }],
    ["a pattern of a backslash and a letter", '"größe"', { pattern: "^\\\\b$" }],
    ["items that repeat", "[1,1]", { uniqueItems: true }],
    ["another item, beside numbers with points", '{"a":1.0,"b":"x"}', { properties: { b: { type: "integer" } } }],
    ["a name that objects inherit", '{"driver":"a"}', named],
    ["what is referred to", "1", reference],
    ["a name that both directions require", '{"secret":"x"}', oneWay],
    ["one character where two are asked for", '"é"', { pattern: "^.{2,}$" }],
    [
      "a draft that reads what stands beside",
      '"abc"',
      { $schema: "https://json-schema.org/draft/2020-12/schema", ...reference },
    ],
  ])("breaks its schema by all of them: %s", (_name, json, schema) => {
    expect(judged(json, schema)).toBe("mismatch");
  });
});
