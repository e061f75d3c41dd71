import { describe, expect, it } from "vitest";
import { toInferenceError } from "../../src/facade/fail.ts";
import { FEEDBACK_EVENT } from "../../src/facade/feedback/decode-event.ts";
import { TOKEN_REQUEST } from "../../src/facade/feedback/token-route.ts";
import { chatCodec } from "../../src/formats/chat/codec.ts";
import { decodeRequest as decodeEmbeddings } from "../../src/formats/embeddings/request/decode-request.ts";
import { messagesCodec } from "../../src/formats/messages/codec.ts";
import { responsesCodec } from "../../src/formats/responses/codec.ts";
import { CONVERSATION_UPDATE, NEW_CONVERSATION, NEW_ITEMS } from "../../src/formats/responses/conversations.ts";
import { decodeCompactRequest } from "../../src/formats/responses/encode-compaction.ts";
import type { JsonObject } from "../../src/formats/shared/json.ts";
import type { Member } from "../../src/formats/shared/member.ts";
import { ref, type Schema } from "../../src/formats/shared/schema.ts";
import { InferenceError } from "../../src/hub/error.ts";
import { formOf, membersOf, type Node, objectForms, walk, wrongValue } from "../support/schema-walk.ts";
import { CHAT_BODIES } from "./bodies/chat.ts";
import { MESSAGES_BODIES } from "./bodies/messages.ts";
import { RESPONSES_BODIES } from "./bodies/responses.ts";

/** A request of the document, what reads it, and bodies that have all of its members together. */
interface Case {
  readonly schema: string;
  readonly decode: (body: JsonObject) => unknown;
  readonly bodies: readonly object[];
}

const without = (names: readonly string[]) => (body: object) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

const read = (member: Member) => (body: JsonObject) => member.read(body, "", undefined);

const items = [{ role: "user", content: "Hi" }];

const CASES: readonly Case[] = [
  {
    schema: "ChatCompletionRequest",
    decode: (body) => chatCodec.decodeRequest(body),
    bodies: CHAT_BODIES,
  },
  { schema: "ResponseRequest", decode: (body) => responsesCodec.decodeRequest(body), bodies: RESPONSES_BODIES },
  {
    schema: "ResponseCompactRequest",
    decode: decodeCompactRequest,
    bodies: RESPONSES_BODIES.map(without(["stream", "background", "conversation", "store"])),
  },
  {
    schema: "MessageRequest",
    decode: (body) => messagesCodec.decodeRequest(body),
    bodies: MESSAGES_BODIES,
  },
  {
    schema: "MessageCountRequest",
    decode: (body) => messagesCodec.count.decodeRequest(body, {}),
    bodies: MESSAGES_BODIES,
  },
  { schema: "ConversationRequest", decode: read(NEW_CONVERSATION), bodies: [{ items, metadata: { team: "search" } }] },
  {
    schema: "ConversationUpdateRequest",
    decode: read(CONVERSATION_UPDATE),
    bodies: [{ metadata: { team: "search" } }],
  },
  { schema: "ConversationItemsRequest", decode: read(NEW_ITEMS), bodies: [{ items }] },
  {
    schema: "FeedbackEvent",
    decode: (body) => FEEDBACK_EVENT.read(body, "[0]", undefined),
    bodies: [{ id: "1", session: "2", feedback: { good: true }, tags: { page: "help" }, optimize: "max" }],
  },
  {
    schema: "EmbeddingsRequest",
    decode: decodeEmbeddings,
    bodies: [{ model: "attune/m", input: "Hello", dimensions: 2, encoding_format: "float", user: "u1" }],
  },
  {
    schema: "FeedbackTokenRequest",
    decode: read(TOKEN_REQUEST),
    bodies: [{ id: "1", session: "2", expires_in: 60, metrics: { stars: { min: 1, max: 5, several: true } } }],
  },
];

function nodesOf({ schema, bodies }: Case): readonly Node[] {
  return bodies.flatMap((value) => [...walk({ schema: ref(schema), value, path: "", replace: (other) => other })]);
}

/** Returns where the decoder finds a fault; undefined if it finds none. */
function faultOf({ decode }: Case, body: unknown): string | undefined {
  try {
    decode(body as JsonObject);
    return undefined;
  } catch (thrown) {
    const error = toInferenceError(thrown);
    if (error instanceof InferenceError) return error.facts.param ?? error.message;
    throw thrown;
  }
}

function describeForm(form: Schema): string {
  const { type, role } = membersOf(form);
  return String(type?.["const"] ?? role?.["const"] ?? form["description"]);
}

describe.each(CASES)("$schema", (each) => {
  it("takes bodies that have all of its members", () => {
    expect(each.bodies.map((body) => faultOf(each, body))).toEqual(each.bodies.map(() => undefined));
    const met = new Set(nodesOf(each).map(({ schema, value }) => formOf(schema, value)));
    const seen = new Set<Schema>(nodesOf(each).map(({ schema }) => schema));
    const missing = [...objectForms(ref(each.schema))].flatMap((form) =>
      Object.entries(membersOf(form)).flatMap(([name, schema]) =>
        met.has(form) && seen.has(schema) ? [] : [`${describeForm(form)}: ${name}`],
      ),
    );
    // The items of conversations are those of requests.
    if (!each.schema.startsWith("Conversation")) expect(missing).toEqual([]);
  });

  it("refuses each member of a wrong type, and names it", () => {
    const wrong = nodesOf(each).flatMap(({ schema, path, replace }) => {
      const value = wrongValue(schema);
      if (value === undefined || path === "") return [];
      const fault = faultOf(each, replace(value));
      return fault === path || fault?.startsWith(`[0].${path}`) ? [] : [{ path, value, fault }];
    });
    expect(wrong).toEqual([]);
  });
});
