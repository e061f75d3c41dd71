import { create, toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect, Role, ToolKind } from "../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason, GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { requestJson } from "../../../src/dashboard/features/history/content-tasks.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import { decodeRequest, encodeRequest } from "../../../src/hub/request-bytes.ts";
import { isRedacted, redactInput, redactOutput } from "../../../src/store/bodies/redact.ts";

const SECRET = "ab";
const HIDDEN = "[redacted: 2 characters]";
const raw = { dialect: Dialect.CHAT, json: '{"a":1}' };
const HIDDEN_JSON = { dialect: "DIALECT_CHAT", json: '{"redacted_characters":7}' };

const text = { kind: { case: "text" as const, value: { text: SECRET } } };

const INPUT = createHubInput({
  model: "attune/some-model",
  dialect: Dialect.CHAT,
  system: [text],
  messages: [
    {
      role: Role.USER,
      name: SECRET,
      id: "msg_1",
      content: [
        { kind: { case: "image", value: { source: { case: "url", value: SECRET }, detail: "low" } } },
        {
          kind: {
            case: "image",
            value: { source: { case: "inline", value: { mediaType: "image/png", base64: SECRET } } },
          },
        },
        { kind: { case: "audio", value: { data: new TextEncoder().encode(SECRET), format: "wav" } } },
        {
          kind: { case: "document", value: { source: { case: "content", value: { blocks: [text] } }, title: SECRET } },
        },
        { kind: { case: "opaque", value: raw }, extension: raw },
      ],
    },
    {
      role: Role.TOOL,
      content: [{ kind: { case: "toolResult", value: { toolUseId: "call_1", content: [text], isError: true } } }],
    },
  ],
  tools: [{ kind: { case: "function", value: { name: "look_up", description: SECRET, parametersJson: SECRET } } }],
  temperature: 0.5,
  stopSequences: [SECRET, ""],
  endUserId: SECRET,
  metadata: { [SECRET]: SECRET },
  workload: "support",
  echo: raw,
});

const OUTPUT = create(GenerateResponseSchema, {
  id: "0199c0de-0000-7000-8000-0000000000a1",
  model: "attune/some-model",
  content: [
    { kind: { case: "thinking", value: { text: SECRET, summary: [SECRET, "a"], opaque: SECRET, id: "rs_1" } } },
    {
      kind: { case: "toolUse", value: { id: "call_1", name: "look_up", arguments: SECRET, kind: ToolKind.FUNCTION } },
    },
  ],
  finished: { reason: FinishReason.STOP_SEQUENCE, rawReason: "stop", stopSequence: SECRET, usage: { inputTokens: 3 } },
  serving: { upstream: "openai", upstreamHeaders: { "x-secret": SECRET } },
});

describe("redactInput()", () => {
  it("takes out every text, and leaves form, sizes and numbers", () => {
    expect(requestJson(redactInput(INPUT))).toEqual({
      model: "attune/some-model",
      dialect: "DIALECT_CHAT",
      system: [{ text: { text: HIDDEN } }],
      messages: [
        {
          role: "ROLE_USER",
          name: HIDDEN,
          id: "msg_1",
          content: [
            { image: { url: HIDDEN, detail: "low" } },
            { image: { inline: { mediaType: "image/png", base64: HIDDEN } } },
            { audio: { data: Buffer.from(`[redacted: ${SECRET.length} bytes]`).toString("base64"), format: "wav" } },
            { document: { content: { blocks: [{ text: { text: HIDDEN } }] }, title: HIDDEN } },
            { opaque: HIDDEN_JSON, extension: HIDDEN_JSON },
          ],
        },
        {
          role: "ROLE_TOOL",
          content: [{ toolResult: { toolUseId: "call_1", content: [{ text: { text: HIDDEN } }], isError: true } }],
        },
      ],
      tools: [{ function: { name: "look_up", description: HIDDEN, parametersJson: HIDDEN } }],
      temperature: 0.5,
      stopSequences: [HIDDEN, ""],
      endUserId: HIDDEN,
      workload: "support",
      echo: { dialect: "DIALECT_CHAT", json: '{"attune_redacted":true}' },
    });
  });

  it("leaves what it was given as it was, and says what it made", () => {
    const before = encodeRequest(INPUT);
    const redacted = redactInput(INPUT);
    expect(encodeRequest(INPUT)).toEqual(before);
    expect([isRedacted(INPUT), isRedacted(redacted)]).toEqual([false, true]);
    expect(isRedacted(decodeRequest(encodeRequest(redacted)))).toBe(true);
  });
});

describe("redactOutput()", () => {
  it("takes out every text, and leaves form, sizes and numbers", () => {
    expect(toJson(GenerateResponseSchema, redactOutput(OUTPUT))).toEqual({
      id: "0199c0de-0000-7000-8000-0000000000a1",
      model: "attune/some-model",
      content: [
        { thinking: { text: HIDDEN, summary: [HIDDEN, "[redacted: 1 character]"], opaque: HIDDEN, id: "rs_1" } },
        { toolUse: { id: "call_1", name: "look_up", arguments: HIDDEN, kind: "TOOL_KIND_FUNCTION" } },
      ],
      finished: {
        reason: "FINISH_REASON_STOP_SEQUENCE",
        rawReason: "stop",
        stopSequence: HIDDEN,
        usage: { inputTokens: 3 },
      },
      serving: { upstream: "openai" },
    });
  });

  it("takes them out of answers that were not chosen too", () => {
    const output = create(GenerateResponseSchema, { notChosen: [{ attempt: 1, content: [text] }] });
    expect(toJson(GenerateResponseSchema, redactOutput(output))).toEqual({
      notChosen: [{ attempt: 1, content: [{ text: { text: HIDDEN } }] }],
    });
  });
});
