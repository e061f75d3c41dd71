import { describe, expect, it } from "vitest";
import { Dialect, Role } from "../../../../gen/attune/content/v1/content_pb.ts";
import { type PublicRequestQuery, publicRequest } from "../../../../src/dashboard/features/history/content-tasks.ts";
import { decodeRequest as decodeChat } from "../../../../src/formats/chat/request/decode-request.ts";
import { decodeRequest as decodeMessages } from "../../../../src/formats/messages/request/decode-request.ts";
import { decodeRequest as decodeResponses } from "../../../../src/formats/responses/request/decode-request.ts";
import type { JsonObject } from "../../../../src/formats/shared/json.ts";
import { createHubInput } from "../../../../src/hub/input.ts";
import { decodeRequest, encodeRequest } from "../../../../src/hub/request-bytes.ts";

const schema = { type: "object", properties: { city: { type: "string" } } };

const CHAT = {
  model: "attune/gpt-6-astra",
  messages: [
    { role: "system", content: "Be brief." },
    {
      role: "user",
      content: [
        { type: "text", text: "How warm?" },
        { type: "image_url", image_url: { url: "https://a.example/b.png" } },
      ],
    },
    {
      role: "assistant",
      content: "",
      tool_calls: [
        { id: "c1", type: "function", function: { name: "look_up", arguments: '{"n":12345678901234567890}' } },
      ],
    },
    { role: "tool", tool_call_id: "c1", content: "21" },
  ],
  tools: [{ type: "function", function: { name: "look_up", description: "Looks up", parameters: schema } }],
  temperature: 0.5,
  max_completion_tokens: 100,
};

const MESSAGES = {
  model: "attune/claude-sonnet-5-5",
  max_tokens: 2000,
  system: "Be brief.",
  thinking: { type: "enabled", budget_tokens: 1024 },
  messages: [{ role: "user", content: "How warm?" }],
};

const RESPONSES = {
  model: "attune/gpt-6-astra",
  instructions: "Be brief.",
  input: [{ type: "message", role: "user", content: "How warm?" }],
  max_output_tokens: 100,
};

type Input = Parameters<typeof createHubInput>[0];

/** Reads a request as it is recorded. */
function read(input: Input, dialect: Dialect, query: Partial<PublicRequestQuery> = {}) {
  const recorded = decodeRequest(encodeRequest(createHubInput({ ...input, dialect })));
  const { text, ...rest } = publicRequest(recorded, { previousId: null, ...query });
  return { ...rest, text, body: JSON.parse(text) as unknown };
}

describe("publicRequest()", () => {
  it.each([
    ["chat", Dialect.CHAT, CHAT, decodeChat],
    ["messages", Dialect.MESSAGES, MESSAGES, decodeMessages],
    ["responses", Dialect.RESPONSES, RESPONSES, decodeResponses],
  ] as const)("writes a request of %s as it came", (format, dialect, body, decode) => {
    const { input } = decode(structuredClone(body) as unknown as JsonObject);
    expect(read(input, dialect)).toMatchObject({ format, model: body.model, losses: [], body });
  });

  it("writes it for another model and in another format, with what that cannot carry", () => {
    const { input } = decodeChat(structuredClone(CHAT) as unknown as JsonObject);
    input.logprobs = true;
    const { body, ...other } = read(input, Dialect.CHAT, { format: "messages", model: "attune/claude-sonnet-5-5" });
    expect(other).toMatchObject({
      format: "messages",
      model: "attune/claude-sonnet-5-5",
      losses: ["logprobs"],
    });
    expect(body).toMatchObject({ model: "attune/claude-sonnet-5-5", max_tokens: 100, system: "Be brief." });
    expect(other.text).toContain("12345678901234567890");
  });

  it("goes on with what a Response continues, and takes that format for such a request over RPC", () => {
    const messages = [{ role: Role.USER, content: [{ kind: { case: "text" as const, value: { text: "And?" } } }] }];
    const previousId = "01900000-0000-7000-8000-000000000000";
    const { format, body } = read({ model: "m", messages }, Dialect.UNSPECIFIED, { previousId });
    expect([format, body]).toEqual(["responses", expect.objectContaining({ previous_response_id: previousId })]);
    expect(read({ model: "m", messages }, Dialect.UNSPECIFIED).format).toBe("chat");
  });
});
