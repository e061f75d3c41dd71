import { describe, expect, it } from "vitest";
import { ReasoningSchema } from "../../gen/attune/content/v1/content_pb.ts";
import { InferenceInputSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { REQUEST as CHAT } from "../../src/formats/chat/request/decode-request.ts";
import { REQUEST as MESSAGES } from "../../src/formats/messages/request/decode-request.ts";
import { REQUEST as RESPONSES } from "../../src/formats/responses/request/decode-request.ts";
import { knownMembers } from "../../src/hub/field-names.ts";

describe.each([
  ["chat", CHAT, ["stream", "stream_options", "n", "functions", "function_call", "modalities"]],
  ["responses", RESPONSES, ["stream", "background"]],
  ["messages", MESSAGES, ["stream"]],
] as const)("members of a request of %s", (format, { table }, ended) => {
  it("are carried, or modelled by the hub, or end where they are read", () => {
    const modelled = knownMembers(format, [InferenceInputSchema, ReasoningSchema]);
    const carried = Object.keys(table).filter((name) => table[name]?.isCarried?.({}) === true);
    const others = Object.keys(table).filter((name) => !carried.includes(name));
    expect(carried.filter((name) => modelled.has(name))).toEqual([]);
    expect(others.filter((name) => !modelled.has(name))).toEqual(ended);
  });
});
