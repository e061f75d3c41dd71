import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { MessageSchema, Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { resultsBehindCalls } from "../../../src/formats/shared/results-behind-calls.ts";

type Init = MessageInitShape<typeof MessageSchema>;

const call = (...ids: string[]): Init => ({
  role: Role.ASSISTANT,
  content: ids.map((id) => ({ kind: { case: "toolUse", value: { id, name: "look", arguments: "{}" } } })),
});
const result = (toolUseId: string): Init => ({
  role: Role.TOOL,
  content: [{ kind: { case: "toolResult", value: { toolUseId } } }],
});
const said = (role: Role): Init => ({ role, content: [{ kind: { case: "text", value: { text: "note" } } }] });

const note = said(Role.DEVELOPER);
const user = said(Role.USER);
const item: Init = { role: Role.UNSPECIFIED, content: [] };

describe("resultsBehindCalls()", () => {
  it.each<[string, readonly Init[], readonly number[]]>([
    ["calls and results in order", [user, call("a", "b"), result("a"), result("b"), user], [0, 1, 2, 3, 4]],
    ["a note between results", [call("a", "b"), result("a"), note, result("b"), user], [0, 1, 3, 2, 4]],
    ["a note before results", [call("a"), user, result("a")], [0, 2, 1]],
    ["calls on both sides of a note", [call("a"), user, call("b"), result("a"), result("b")], [0, 3, 1, 2, 4]],
    ["results in another order", [call("a"), call("b"), result("b"), result("a")], [0, 1, 2, 3]],
    ["calls that follow each other", [call("a"), result("a"), call("b"), result("b")], [0, 1, 2, 3]],
    ["an id that is used again", [call("a"), user, call("a"), note, result("a")], [0, 1, 2, 4, 3]],
    ["items without a role", [call("a"), item, call("b"), item, result("a"), result("b")], [0, 1, 2, 4, 5, 3]],
    ["a result without a call", [user, result("x"), user], [0, 1, 2]],
  ])("arranges %s", (_what, messages, order) => {
    const placed = messages.map((init, index) => ({ message: create(MessageSchema, init), index }));
    expect(resultsBehindCalls(placed).map(({ index }) => index)).toEqual(order);
  });
});
