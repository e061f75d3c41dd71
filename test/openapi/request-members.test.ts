import { describe, expect, it } from "vitest";
import { CHAT_REQUEST } from "../../src/openapi/chat/request.ts";
import { MESSAGES_REQUEST } from "../../src/openapi/messages/request.ts";
import { plainMembers } from "../../src/openapi/request-members.ts";
import { RESPONSES_REQUEST } from "../../src/openapi/responses/request.ts";

describe("plainMembers()", () => {
  it.each([
    ["chat", CHAT_REQUEST["ChatCompletionRequest"]],
    ["responses", RESPONSES_REQUEST["ResponseRequest"]],
    ["messages", MESSAGES_REQUEST["MessageRequest"]],
  ] as const)("are described by the table of fields alone, in a request of %s", (format, schema) => {
    // A member that is written by hand as well would hide them.
    expect(schema?.["properties"]).toMatchObject(plainMembers(format));
  });
});
