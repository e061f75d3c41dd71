import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { type ContentBlock, ContentBlockSchema, Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import { openInput, type TargetDeployment } from "../../../src/inference/history/open-input.ts";
import { checkToolResults, readRecalledPrompt } from "../../../src/inference/history/read-recalled-prompt.ts";
import { testSigner } from "../../support/test-signer.ts";

const call = (id: string) => create(ContentBlockSchema, { kind: { case: "toolUse", value: { id, name: "f" } } });
const result = (toolUseId: string) =>
  create(ContentBlockSchema, { kind: { case: "toolResult", value: { toolUseId } } });
const opaque = (json: string) =>
  create(ContentBlockSchema, { kind: { case: "opaque", value: { dialect: Dialect.RESPONSES, json } } });

function check(historyLength: number, ...blocks: ContentBlock[]): void {
  const messages = blocks.map((block) => ({ content: [block] }));
  checkToolResults({ input: createHubInput({ model: "attune/m", messages }), historyLength });
}

describe("checkToolResults()", () => {
  it.each([
    ["in the input", 0, [call("a"), call("b"), result("b"), result("a")]],
    ["in the conversation before it", 1, [call("a"), result("a")]],
    ["that only its format knows", 0, [opaque('{"type":"local_shell_call","call_id":"a"}'), result("a")]],
    ["that a reference may stand for", 0, [opaque('{"type":"item_reference","id":"fc_1"}'), result("a")]],
    ["that a reference without a type may stand for", 0, [opaque('{"id":"fc_1"}'), result("a")]],
    ["that a reference with null for its type may stand for", 0, [opaque('{"type":null,"id":"fc_1"}'), result("a")]],
    ["that was compacted", 0, [opaque('{"type": "compaction", "encrypted_content": "x"}'), result("a")]],
  ])("takes a result of a call %s", (_where, historyLength, blocks) => {
    expect(() => check(historyLength, ...blocks)).not.toThrow();
  });

  it.each([
    ["without a call", 0, [result("a")], 0],
    ["before its call", 0, [result("a"), call("a")], 0],
    ["of another call, counted behind the history", 1, [call("b"), call("c"), result("a")], 1],
    ["beside an item that is no such call", 0, [opaque('{"type":"web_search_call","id":"ws_1"}'), result("a")], 1],
  ])("refuses a result %s", (_where, historyLength, blocks, index) => {
    expect(() => check(historyLength, ...blocks)).toThrow(
      `messages[${index}].content[0].tool_use_id: No tool call found for function call output with call_id a.`,
    );
  });
});

describe("readRecalledPrompt()", () => {
  it("leaves a request as it is that holds nothing of an earlier answer", async () => {
    const text = create(ContentBlockSchema, { kind: { case: "text", value: { text: "Hello" } } });
    const input = createHubInput({ model: "attune/m", dialect: Dialect.CHAT, messages: [{ content: [text] }] });
    // Nothing else of the archive may be asked.
    const archive = { readAnswers: () => Promise.reject(new Error("read")) };
    const ports = { archive, conversations: {} } as unknown as Parameters<typeof readRecalledPrompt>[2];
    const prompt = await readRecalledPrompt(input, { projectId: "p", signer: testSigner }, ports);
    expect(prompt).toMatchObject({ isPlain: true, recalls: true, recallsMembers: false, historyLength: 0 });
    expect(prompt.input).toBe(input);
    expect(openInput(prompt, {} as TargetDeployment)).toEqual({ input, own: new Set() });
  });
});
