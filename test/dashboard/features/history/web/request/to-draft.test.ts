import { describe, expect, it } from "vitest";
import { toDraft } from "../../../../../../src/dashboard/features/history/web/request/actions/to-draft.ts";

describe("toDraft()", () => {
  it("reads what the playground has fields for, and counts the rest", () => {
    const parameters = { type: "object" };
    const body = {
      model: "attune/m",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "developer", content: [{ type: "text", text: "And kind." }] },
        {
          role: "user",
          content: [
            { type: "text", text: "How warm?" },
            { type: "image_url", image_url: {} },
          ],
        },
        { role: "assistant", content: "", tool_calls: [{ id: "c1" }] },
        { role: "tool", tool_call_id: "c1", content: "21" },
        { role: "assistant", content: "Warm." },
        { role: "user", content: "Thanks" },
      ],
      tools: [{ type: "function", function: { name: "look_up", parameters } }],
      max_completion_tokens: 100,
      temperature: 0.5,
      reasoning_effort: "low",
      response_format: { type: "json_schema", json_schema: { name: "a", schema: parameters } },
    };
    const { draft, leftOut } = toDraft(body, "messages", "support");
    expect(leftOut).toBe(3);
    expect(draft).toMatchObject({
      model: "attune/m",
      format: "messages",
      workload: "support",
      system: "Be brief.\n\nAnd kind.",
      maxTokens: "100",
      temperature: "0.5",
      effort: "low",
      schema: '{\n  "type": "object"\n}',
      turns: [
        { key: 0, role: "user", text: "How warm?" },
        { key: 1, role: "assistant", text: "Warm." },
        { key: 2, role: "user", text: "Thanks" },
      ],
    });
    expect(JSON.parse(draft.tools)).toEqual([{ name: "look_up", parameters }]);
  });

  it("begins with one empty message where there is no text", () => {
    const { draft, leftOut } = toDraft({ model: "m", messages: [] }, "chat", "");
    expect([draft.turns, draft.maxTokens, leftOut]).toEqual([[{ key: 0, role: "user", text: "" }], "", 0]);
  });
});
