import { describe, expect, it } from "vitest";
import { InferenceInputSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { knownMembers } from "../../src/hub/field-names.ts";
import { CHAT_REQUEST } from "../../src/openapi/chat/request.ts";
import { MESSAGES_REQUEST } from "../../src/openapi/messages/request.ts";
import { carriedMembers, plainMembers } from "../../src/openapi/request-members.ts";
import { RESPONSES_REQUEST } from "../../src/openapi/responses/request.ts";

describe.each([
  ["chat", CHAT_REQUEST["ChatCompletionRequest"]],
  ["responses", RESPONSES_REQUEST["ResponseRequest"]],
  ["messages", MESSAGES_REQUEST["MessageRequest"]],
] as const)("members of a request of %s", (format, schema) => {
  it("are described by the table of fields alone, if they go as they are", () => {
    // A member that is written by hand as well would hide them.
    expect(schema?.["properties"]).toMatchObject(plainMembers(format));
  });

  it("are not in carried-members.ts too, if the hub models them", () => {
    const modelled = knownMembers(format, [InferenceInputSchema]);
    expect(Object.keys(carriedMembers(format)).filter((name) => modelled.has(name))).toEqual([]);
  });
});
