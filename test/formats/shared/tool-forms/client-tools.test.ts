import { describe, expect, it } from "vitest";
import { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import { decodeRequest as decodeMessages } from "../../../../src/formats/messages/request/decode-request.ts";
import { decodeRequest as decodeResponses } from "../../../../src/formats/responses/request/decode-request.ts";
import { clientTools } from "../../../../src/formats/shared/tool-forms/client-tools.ts";
import type { ToolRules } from "../../../../src/formats/shared/tool-forms/tool-rules.ts";
import { blockDeltaEvent, blockEndEvent, blockStartEvent } from "../../../../src/hub/events.ts";

const RULES: ToolRules = { maxLength: 64, customTools: "none" };
const said = { role: "user", content: "Hi" };
const responses = (body: object) => decodeResponses({ model: "m", input: [said], ...body }).input;

/** Returns what the caller gets of a call of a function. */
function restored(name: string, text: string): unknown {
  const rewritten = clientTools(responses({ tools: [{ type: name }] }), RULES);
  const restore = rewritten?.createRestore?.();
  const events = restore?.([
    // Of a Responses upstream the call has an item of its own.
    blockStartEvent(0, { itemId: "fc_1", kind: { case: "toolUse", value: { id: "c1", name } } }),
    blockDeltaEvent(0, { case: "arguments", value: text }),
    blockEndEvent(0),
  ]);
  const [start] = events ?? [];
  const block = start?.event.case === "blockStart" ? start.event.value.block : undefined;
  expect(block?.itemId).toBe("");
  return block?.kind.case === "opaque" ? JSON.parse(block.kind.value.json) : undefined;
}

describe("clientTools()", () => {
  it.each([
    [
      "local_shell",
      { command: ["ls"], timeout_ms: 5 },
      { type: "local_shell_call", action: { type: "exec", env: {}, command: ["ls"], timeout_ms: 5 } },
    ],
    ["shell", { commands: ["ls", "pwd"] }, { type: "shell_call", action: { commands: ["ls", "pwd"] } }],
    [
      "apply_patch",
      { type: "update_file", path: "a", diff: "@@" },
      { type: "apply_patch_call", operation: { type: "update_file", path: "a", diff: "@@" } },
    ],
  ])("has %s called as a function, and gives the call back", (name, asked, item) => {
    expect(restored(name, JSON.stringify(asked))).toEqual({
      id: expect.any(String),
      call_id: "c1",
      status: "completed",
      ...item,
    });
    for (const text of ["{", "[]", "{}"]) expect(() => restored(name, text)).toThrow(/cannot be read/);
  });

  it("has calls and results in the history as those of the functions", () => {
    const input = [
      {
        type: "local_shell_call",
        id: "l",
        call_id: "k1",
        status: "completed",
        action: { type: "exec", command: ["ls"], env: {} },
      },
      { type: "local_shell_call_output", id: "k1", output: "files" },
      { type: "apply_patch_call", call_id: "k2", status: "completed", operation: { type: "delete_file", path: "a" } },
      { type: "apply_patch_call_output", call_id: "k2", status: "failed", output: "no" },
      { type: "shell_call", call_id: "k3", status: "completed", action: { commands: ["ls"], timeout_ms: null } },
      { type: "shell_call_output", call_id: "k3", output: [{ stdout: "a" }] },
      said,
    ];
    const { messages = [] } = clientTools(responses({ input }), RULES)?.input ?? {};
    expect(messages.map(({ content: [block] }) => block?.kind.value)).toMatchObject([
      { id: "k1", name: "local_shell", arguments: '{"command":["ls"]}' },
      { toolUseId: "k1", content: [{ kind: { value: { text: "files" } } }] },
      { id: "k2", name: "apply_patch", arguments: '{"type":"delete_file","path":"a"}' },
      { toolUseId: "k2", isError: true, content: [{ kind: { value: { text: "no" } } }] },
      { id: "k3", name: "shell", arguments: '{"commands":["ls"]}' },
      { toolUseId: "k3", content: [{ kind: { value: { text: '[{"stdout":"a"}]' } } }] },
      { text: "Hi" },
    ]);
  });

  it("gives tools of Messages the schemas that they are known by", () => {
    const tools = [
      { type: "bash_20250124", name: "bash" },
      { type: "text_editor_20250728", name: "str_replace_based_edit_tool" },
      { type: "memory_20250818", name: "memory" },
      { type: "computer_20251124", name: "computer", display_width_px: 1, display_height_px: 1 },
    ];
    const { input } = decodeMessages({ model: "m", max_tokens: 9, messages: [said], tools });
    const kinds = clientTools(input, RULES)?.input.tools.map(({ kind }) => [
      kind.case,
      kind.value?.$typeName && (kind.case === "function" ? kind.value.name : ""),
    ]);
    expect(kinds).toEqual([
      ["function", "bash"],
      ["function", "str_replace_based_edit_tool"],
      ["function", "memory"],
      ["opaque", ""],
    ]);
  });

  it.each([
    ["that the provider runs", { tools: [{ type: "shell", environment: { type: "container_auto" } }] }],
    [
      "of the name of a function",
      { tools: [{ type: "shell" }, { type: "function", name: "shell", parameters: null, strict: false }] },
    ],
    ["that are functions", { tools: [{ type: "function", name: "f", parameters: null, strict: false }] }],
  ])("leaves tools alone %s", (_what, body) => {
    expect(clientTools(responses(body), RULES)).toBeUndefined();
  });

  it("changes nothing for the upstream whose tools they are", () => {
    const rules: ToolRules = { ...RULES, ownDialect: Dialect.RESPONSES };
    expect(clientTools(responses({ tools: [{ type: "shell" }] }), rules)).toBeUndefined();
  });
});
