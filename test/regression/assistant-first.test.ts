import { describe, expect, it } from "vitest";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { decodeRequest } from "../../src/formats/messages/request/decode-request.ts";

describe("a conversation of Messages", () => {
  it("may begin with the assistant, as greetings do", () => {
    const messages = [
      { role: "assistant", content: "Welcome!" },
      { role: "user", content: "Hi" },
    ];
    const { input } = decodeRequest({ model: "m", max_tokens: 9, messages });
    expect(input.messages.map(({ role }) => role)).toEqual([Role.ASSISTANT, Role.USER]);
  });
});
