import { describe, expect, it } from "vitest";
import { Dialect, Role, ToolChoiceMode, ToolKind } from "../../../../gen/attune/content/v1/content_pb.ts";
import { ErrorReason, InferenceError } from "../../../../src/hub/error.ts";
import { type Block, call, chatJson, HI, type Input, said, send, tool } from "./hub.ts";

const RESPONSES = Dialect.RESPONSES;
const sound: Block = { kind: { case: "audio", value: { base64: "AA==", format: "wav" } } };
const customCall = (name: string): Block => ({
  kind: { case: "toolUse", value: { id: "c", name, arguments: "1", kind: ToolKind.CUSTOM } },
});
const inline = (mediaType: string, base64: string) => ({
  source: { case: "inline" as const, value: { mediaType, base64 } },
});

/** What it is, the input, the whole message. */
const refused: readonly [string, Input, string][] = [
  [
    "a temperature above 1",
    { messages: [HI], temperature: 1.5 },
    "temperature: must be from 0 to 1 for this model, not 1.5",
  ],
  [
    "no token",
    { messages: [HI], maxOutputTokens: 0 },
    "max_output_tokens: 0, which fills the prompt cache without an answer, is possible only where the upstream is not asked for a stream; ask for at least 1 token",
  ],
  [
    "nothing of the user",
    { dialect: RESPONSES, messages: [{ content: [{ kind: { case: "opaque", value: chatJson("{}") } }] }] },
    "messages: must hold a message of the user for this model",
  ],
  [
    "an empty user message",
    { messages: [HI, said(Role.USER, "")] },
    "messages[1].content: must not be empty for this model",
  ],
  [
    "a blank user message",
    { messages: [HI, said(Role.USER, " ", "\n")] },
    "messages[1].content: must not be empty for this model",
  ],
  [
    "sound",
    { messages: [said(Role.USER, "x", sound)] },
    "messages[0].content[1]: this model doesn't accept audio; send a transcript as text",
  ],
  [
    "a drawing",
    { messages: [said(Role.USER, { kind: { case: "image", value: inline("image/svg+xml", "AA==") } })] },
    "messages[0].content[0]: this model doesn't accept an image of type 'image/svg+xml'; send JPEG, PNG, GIF or WebP",
  ],
  [
    "an image of no known type",
    { messages: [said(Role.USER, { kind: { case: "image", value: inline("", "AA==") } })] },
    "messages[0].content[0]: this model doesn't accept an image without a media type; send JPEG, PNG, GIF or WebP",
  ],
  [
    "a spreadsheet",
    { messages: [said(Role.USER, { kind: { case: "document", value: inline("application/vnd.ms-excel", "AA==") } })] },
    "messages[0].content[0]: this model doesn't accept a file of type 'application/vnd.ms-excel'; send a PDF or plain text",
  ],
  [
    "text that is not UTF-8",
    { messages: [said(Role.USER, { kind: { case: "document", value: inline("text/plain", "/w==") } })] },
    "messages[0].content[0]: the file is not text in UTF-8; send it as a PDF",
  ],
  [
    "a file of another service",
    {
      messages: [
        said(Role.USER, { kind: { case: "document", value: { source: { case: "fileId", value: "file-1" } } } }),
      ],
    },
    "messages[0].content[0]: the file 'file-1' is stored by another service than this model's; send its bytes",
  ],
  [
    "a tool name with a dot",
    { messages: [HI], tools: [tool("a.b")] },
    "tools[0].name: must have 1 to 128 characters out of a-z, A-Z, 0-9, _ and -",
  ],
  [
    "a call of a name with a dot",
    { messages: [HI, said(Role.ASSISTANT, call("c", "{}", "a.b"))] },
    "messages[1].content[0].name: must have 1 to 128 characters out of a-z, A-Z, 0-9, _ and -",
  ],
  [
    "a call of a custom tool of a name with a dot",
    { messages: [HI, said(Role.ASSISTANT, customCall("a.b"))] },
    "messages[1].content[0].name: must have 1 to 128 characters out of a-z, A-Z, 0-9, _ and -",
  ],
  [
    "the choice of a tool that cannot be sent",
    {
      messages: [HI],
      tools: [tool("f"), { kind: { case: "custom", value: { name: "free" } } }],
      toolChoice: { mode: ToolChoiceMode.NAMED, name: "free", kind: ToolKind.CUSTOM },
    },
    "tool_choice: requires a call of 'free', but the upstream does not support that tool: define it as a function",
  ],
  [
    "a required call without tools",
    { messages: [HI], toolChoice: { mode: ToolChoiceMode.REQUIRED } },
    "tool_choice: requires a call, but the upstream supports none of the tools: define one as a function",
  ],
  [
    "allowed tools that are not there",
    { messages: [HI], tools: [tool("f")], toolChoice: { mode: ToolChoiceMode.AUTO, allowedNames: ["g"] } },
    "tool_choice: allows only tools that the request does not define for this model",
  ],
];

/** What an input is refused with. */
function refusal(input: Input): Pick<InferenceError, "reason" | "message"> | undefined {
  try {
    send(input);
    return undefined;
  } catch (thrown) {
    const { reason, message } = InferenceError.from(thrown);
    return { reason, message };
  }
}

describe("encodeRequest()", () => {
  it.each(refused)("refuses %s", (_what, input, message) => {
    expect(refusal(input)).toEqual({ reason: ErrorReason.INVALID_REQUEST, message });
  });
});
