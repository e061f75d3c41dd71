import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect, RawJsonSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { differingMembers } from "../../../src/inference/checks/choice-members.ts";

const of = (members: object, dialect: Dialect = Dialect.CHAT) =>
  create(RawJsonSchema, { dialect, json: JSON.stringify(members) });

describe("differingMembers()", () => {
  it.each([
    ["of the same value", [of({ a: [1] }), of({ a: [1] })], []],
    ["of one choice alone", [undefined, of({ a: 1 }), of({ b: 1 })], []],
    ["of another value", [of({ a: 1, b: 2 }), of({ a: 1, b: 3 })], ["answer.b"]],
    ["of another value than one behind the first", [undefined, of({ a: 1 }), of({ a: 2 })], ["answer.a"]],
    [
      "of the choice itself, and of the service",
      [of({ choices: [{ a: 1 }], system_fingerprint: "x" }), of({ choices: [{ a: 2 }], system_fingerprint: "y" })],
      [],
    ],
    ["of another format", [of({ a: 1 }, Dialect.MESSAGES), of({ a: 2 }, Dialect.MESSAGES)], []],
  ])("names members %s", (_what, extensions, names) => {
    expect(differingMembers(Dialect.CHAT, extensions)).toEqual(names);
    expect(differingMembers(Dialect.UNSPECIFIED, extensions)).toEqual([]);
  });
});
