import { describe, expect, it } from "vitest";
import { Role } from "../../../../gen/attune/content/v1/content_pb.ts";
import { decodeRequest } from "../../../../src/formats/messages/request/decode-request.ts";

const MARK = { type: "ephemeral" };

/** A request of Claude Code: 24 tools, three marks, adaptive thinking, and a system message at the end. */
const REQUEST = {
  model: "attune/m",
  max_tokens: 32000,
  stream: true,
  thinking: { type: "adaptive" },
  context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
  output_config: { effort: "high" },
  metadata: { user_id: '{"device_id":"d","account_uuid":"","session_id":"s"}' },
  system: [
    { type: "text", text: "You are Claude Code.", cache_control: MARK },
    { type: "text", text: "Rules.", cache_control: MARK },
  ],
  tools: Array.from({ length: 24 }, (_, index) => ({
    name: `Tool${index}`,
    description: "Does something",
    input_schema: { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object", properties: {} },
  })),
  messages: [
    { role: "user", content: [{ type: "text", text: "List the files", cache_control: MARK }] },
    { role: "system", content: "The user's working directory is /tmp." },
  ],
};

describe("decodeRequest()", () => {
  it("takes a request of Claude Code as it is (hard case 8)", () => {
    const { input, stream } = decodeRequest(REQUEST);
    expect(stream).toBe(true);
    expect(input.tools).toHaveLength(24);
    expect(input.messages.map(({ role }) => role)).toEqual([Role.USER, Role.SYSTEM]);
    expect(input.endUserId).toBe(REQUEST.metadata.user_id);
    expect(input.extension?.json).toBe(
      '{"context_management":{"edits":[{"type":"clear_thinking_20251015","keep":"all"}]}}',
    );
  });
});
