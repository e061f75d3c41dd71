import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect, RawJsonSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { parseJson } from "../../../src/formats/shared/json.ts";
import { jsonMember } from "../../../src/formats/shared/json-member.ts";
import { JsonText } from "../../../src/formats/shared/json-text.ts";

const schema = '{"type":"object"}';
const written = { dialect: Dialect.CHAT, extension: undefined };

describe("jsonMember()", () => {
  it("hands on what was written from a public format", () => {
    expect(jsonMember(schema, written, parseJson)).toEqual(new JsonText(schema));
  });

  it.each([
    ["what came from an RPC caller", schema, { ...written, dialect: Dialect.UNSPECIFIED }],
    ["what has an extension", schema, { ...written, extension: create(RawJsonSchema, { json: "{}" }) }],
    ["what is no object, or has spaces before it", " []", written],
  ])("parses %s", (_name, json, facts) => {
    expect(jsonMember(json, facts, parseJson)).toEqual(JSON.parse(json));
  });
});
