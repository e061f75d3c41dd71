import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type ContentBlockSchema,
  type MessageSchema,
  ReasoningEffort,
  Role,
  ThinkingMode,
  ToolChoiceMode,
  ToolKind,
  type ToolSchema,
} from "../../gen/attune/content/v1/content_pb.ts";
import type { HubInit } from "../../src/hub/input.ts";

type Block = MessageInitShape<typeof ContentBlockSchema>;
type Kind = NonNullable<Block["kind"]>;
type Message = MessageInitShape<typeof MessageSchema>;
type Tool = MessageInitShape<typeof ToolSchema>;

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk";
const PDF = "JVBERi0xLjcKJeLjz9MKMSAwIG9iago8PC9UeXBlL0NhdGFsb2c+PgplbmRvYmoK";

const block = (kind: Kind): Block => ({ kind });
const text = (value: string): Block => block({ case: "text", value: { text: value } });
const said = (role: Role, ...content: Block[]): Message => ({ role, content });
const asked = (...content: Block[]): { messages: Message[] } => ({
  messages: [said(Role.USER, text("Look."), ...content)],
});
const tool = (kind: NonNullable<Tool["kind"]>) => ({ kind });

const image = (source: Extract<Kind, { case: "image" }>["value"]["source"]): Block =>
  block({ case: "image", value: source === undefined ? {} : { source } });
const document = (source: Extract<Kind, { case: "document" }>["value"]["source"]): Block =>
  block({ case: "document", value: source === undefined ? {} : { source } });
const call = (kind: ToolKind, input: string): Block =>
  block({ case: "toolUse", value: { id: "call_1", name: "look_up", arguments: input, kind } });
const result = (kind: ToolKind, ...content: Block[]): Block =>
  block({ case: "toolResult", value: { toolUseId: "call_1", kind, content } });

/** A tool, without which what is said of tools says nothing. */
export const LOOK_UP = tool({ case: "function", value: { name: "look_up", parametersJson: '{"type":"object"}' } });
const WRITE = tool({ case: "custom", value: { name: "look_up", formatJson: '{"type":"text"}' } });
const SCHEMA = '{"type":"object","properties":{},"required":[],"additionalProperties":false}';

/** Ends of a conversation, which begins with the user and comes back to it. */
const answered = (...content: Block[]): Message[] => [
  said(Role.USER, text("Look.")),
  said(Role.ASSISTANT, ...content),
  said(Role.USER, text("Go on.")),
];
const called = (kind: ToolKind, input: string, ...content: Block[]): Message[] => [
  said(Role.USER, text("Look.")),
  said(Role.ASSISTANT, call(kind, input)),
  said(Role.TOOL, result(kind, ...content)),
];

/**
 * Requests that together hold every kind of message of the hub, each where it may stand. What is wanted of a field is
 * tried on each of them that has a place for it.
 */
export const SCENES: Readonly<Record<string, HubInit>> = {
  "a question": { ...asked(), system: [text("Be brief.")] },
  instructions: {
    messages: [
      said(Role.SYSTEM, text("Be brief.")),
      said(Role.DEVELOPER, text("In English.")),
      said(Role.USER, text("Hi")),
    ],
  },
  "instructions with an image": {
    messages: [
      said(Role.USER, text("Look.")),
      said(Role.SYSTEM, text("Be brief."), image({ case: "url", value: "https://example.com/a.png" })),
    ],
  },
  "an image at an address": asked(image({ case: "url", value: "https://example.com/a.png" })),
  "an image by its bytes": asked(image({ case: "inline", value: { mediaType: "image/png", base64: PNG } })),
  sound: asked(block({ case: "audio", value: { format: "wav", base64: "UklGRiQAAABXQVZF" } })),
  "a document at an address": asked(document({ case: "url", value: "https://example.com/a.pdf" })),
  "a document by its bytes": asked(document({ case: "inline", value: { mediaType: "application/pdf", base64: PDF } })),
  "a document of text": asked(document({ case: "text", value: "All of it." })),
  "a document of blocks": asked(document({ case: "content", value: { blocks: [text("A"), text("B")] } })),
  "an answer": { messages: answered(text("Looked.")) },
  "an answer with an image": { messages: answered(image({ case: "url", value: "https://example.com/a.png" })) },
  "an image in the instructions": { ...asked(), system: [image({ case: "url", value: "https://example.com/a.png" })] },
  "an answer with thinking that nobody here can read": {
    messages: answered(block({ case: "thinking", value: { summary: ["Hm."], opaque: "" } }), text("Looked.")),
  },
  "an answer that cites a page": {
    messages: answered({
      kind: text("Looked.").kind,
      annotations: {
        annotations: [
          { kind: { case: "urlCitation", value: { url: "https://example.com", title: "A", startIndex: 1 } } },
        ],
      },
      logprobs: { tokens: [{ token: "Looked", logprob: -1, topLogprobs: [{ token: "Looked", logprob: -1 }] }] },
    }),
  },
  "an answer with probabilities of its tokens": { ...asked(), logprobs: true, topLogprobs: 2 },
  "an answer with a refusal": { messages: answered(block({ case: "refusal", value: { text: "No." } })) },
  "an answer with thinking": {
    messages: answered(block({ case: "thinking", value: { summary: ["Hm."], opaque: "c2ln" } }), text("Looked.")),
  },
  "an answer with sealed thinking": {
    messages: answered(block({ case: "redactedThinking", value: { data: "c2VhbA==" } }), text("Looked.")),
  },
  "a call": { tools: [LOOK_UP], messages: called(ToolKind.FUNCTION, '{"a":1}', text("Found.")) },
  "a call that failed": {
    tools: [LOOK_UP],
    messages: [
      ...called(ToolKind.FUNCTION, '{"a":1}').slice(0, 2),
      said(
        Role.TOOL,
        block({ case: "toolResult", value: { toolUseId: "call_1", isError: true, content: [text("x")] } }),
      ),
    ],
  },
  "a call that nothing answers": { tools: [LOOK_UP], messages: called(ToolKind.FUNCTION, '{"a":1}') },
  "a call that an image answers": {
    tools: [LOOK_UP],
    messages: called(
      ToolKind.FUNCTION,
      '{"a":1}',
      image({ case: "inline", value: { mediaType: "image/png", base64: PNG } }),
    ),
  },
  "a call of a custom tool": { tools: [WRITE], messages: called(ToolKind.CUSTOM, "free text", text("Found.")) },
  "a tool that must be called": {
    ...asked(),
    tools: [LOOK_UP],
    toolChoice: { mode: ToolChoiceMode.NAMED, name: "look_up", kind: ToolKind.FUNCTION },
  },
  "a tool that may be called": {
    ...asked(),
    tools: [LOOK_UP],
    toolChoice: { mode: ToolChoiceMode.AUTO, allowedNames: ["look_up"] },
  },
  "a choice that only one format knows": { ...asked(), toolChoice: { mode: ToolChoiceMode.OPAQUE } },
  "a choice that only one format knows, of no tools": {
    ...asked(),
    tools: [],
    toolChoice: { mode: ToolChoiceMode.OPAQUE },
  },
  "an item that only one format knows": {
    messages: [said(Role.USER, text("Look.")), said(Role.UNSPECIFIED, text("-"))],
  },
  "reasoning by effort": { ...asked(), reasoning: { effort: ReasoningEffort.HIGH } },
  "no reasoning": { ...asked(), reasoning: { effort: ReasoningEffort.NONE } },
  "reasoning switched off": { ...asked(), reasoning: { mode: ThinkingMode.DISABLED } },
  "reasoning with a budget": { ...asked(), reasoning: { mode: ThinkingMode.ENABLED, budgetTokens: 2048 } },
  "a form of the answer": {
    ...asked(),
    outputFormat: { kind: { case: "jsonSchema", value: { name: "answer", schemaJson: SCHEMA } } },
  },
  "cache marks": {
    messages: [said(Role.USER, { kind: { case: "text", value: { text: "All of it." } }, cacheMark: {} })],
    tools: [{ kind: LOOK_UP.kind, cacheMark: {} }],
    automaticCacheMark: {},
  },
  "a form that describes itself": {
    ...asked(),
    outputFormat: {
      kind: {
        case: "jsonSchema",
        value: { name: "answer", schemaJson: '{"type":"object","description":"An answer."}' },
      },
    },
  },
  "a call of a session": { ...asked(), facts: { sessionId: "run-7", tags: { team: "search" } } },
  "tokens to embed": { ...asked(), embedding: { tokenInputs: [{ tokens: [1, 2] }], dimensions: 2 } },
  "any JSON object": { ...asked(), outputFormat: { kind: { case: "jsonObject", value: {} } } },
  "any text": { ...asked(), outputFormat: { kind: { case: "text", value: {} } } },
};
