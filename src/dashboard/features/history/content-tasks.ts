import { type JsonObject, toJson } from "@bufbuild/protobuf";
import { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema, StoredInferenceSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { jsonBytes } from "../../../formats/shared/json-bytes.ts";
import type { HubInput } from "../../../hub/input.ts";
import { requestToMessage } from "../../../hub/request-bytes.ts";
import { readPromptText } from "../../../learning/families/prompt-text.ts";
import { type FirstWords, firstWords } from "../../../store/bodies/first-words.ts";
import { isRedacted } from "../../../store/bodies/redact.ts";
import { decodeMessages, type EncodedContent, type InferenceContent } from "../../../store/types/inference-body.ts";
import { type ExampleQuery, trainingExample } from "../datasets/training-example.ts";
import { encodeInFormat, type FormatName } from "./encode-in-format.ts";
import { cut, type TextPiece } from "./text-parts.ts";
import { type ContentView, type MessageRange, type MessageView, readPart, viewContent } from "./view-content.ts";

const FORMATS: Partial<Record<Dialect, FormatName>> = {
  [Dialect.CHAT]: "chat",
  [Dialect.RESPONSES]: "responses",
  [Dialect.MESSAGES]: "messages",
};

/** A piece of a text. */
interface PieceQuery {
  readonly from: number;
  readonly length: number;
}

/** The tasks on the bodies of a request, which are not compressed here. */
export const CONTENT_TASKS = {
  /** Returns the view of a request, with its latest messages. */
  view(content: EncodedContent, latest: number): { readonly isRedacted: boolean; readonly content: ContentView } {
    const decoded = decode(content);
    const count = decoded.input.messages.length;
    return {
      isRedacted: isRedacted(decoded.input),
      content: viewContent(decoded, { from: count - latest, to: count }),
    };
  },

  messages(content: EncodedContent, range: MessageRange): readonly MessageView[] {
    return viewContent(decode(content), range).messages;
  },

  /** A piece of a text or a file by its number; undefined if there is none of that number. */
  part(content: EncodedContent, query: PieceQuery & { readonly part: number }): TextPiece | undefined {
    return readPart(decode(content), query);
  },

  /** The first words of what was asked and answered, and the tools that were called. */
  outline(content: EncodedContent): Outline {
    return outline(decode(content));
  },

  /** The request as a client would send it again; undefined where its texts were redacted. */
  publicRequest(content: EncodedContent, query: PublicRequestQuery): PublicRequest | undefined {
    const { input } = decode(content);
    return isRedacted(input) ? undefined : publicRequest(input, query);
  },

  /** A piece of the JSON of what was asked or answered. */
  raw(content: EncodedContent, { side, from, length }: PieceQuery & { readonly side: RawSide }): TextPiece {
    const text = rawJson(decode(content), side);
    return { text: cut(text, from, length), length: text.length };
  },

  /** A line of training data; undefined where there is none in that form, or texts were redacted. */
  trainingExample(content: EncodedContent, query: ExampleQuery): string | undefined {
    const decoded = decode(content);
    return isRedacted(decoded.input) ? undefined : trainingExample(decoded, query);
  },

  /** The texts by which prompts are told apart; undefined where texts were redacted. */
  promptText(content: EncodedContent): string | undefined {
    const { input } = decode(content);
    return isRedacted(input) ? undefined : readPromptText(input);
  },

  /** Two members of a line of an export: what was asked and answered. */
  exportJson(content: EncodedContent): Uint8Array {
    const { input, output } = decode(content);
    const [request, answer] = [requestJson(input), toJson(GenerateResponseSchema, output)];
    return new TextEncoder().encode(`"request":${JSON.stringify(request)},"answer":${JSON.stringify(answer)}`);
  },
};

function decode({ request, response }: EncodedContent) {
  return decodeMessages(request, response);
}

/** The beginning of a request and of its answer, and the tools that it called. */
interface Outline extends FirstWords {
  readonly tools: readonly string[];
}

const MOST_TOOLS = 20;

/** Returns the first words of the latest prompt and of the answer, with the names of the tools that it called. */
function outline(content: InferenceContent): Outline {
  const tools = content.output.content.flatMap(({ kind }) => (kind.case === "toolUse" ? [kind.value.name] : []));
  return { ...firstWords(content), tools: tools.slice(0, MOST_TOOLS) };
}

/** The side of an inference that is written as JSON. */
type RawSide = "request" | "answer";

/** Returns a request as JSON: its message of the RPC API, and beside the members of that how it came in. */
export function requestJson(input: HubInput): JsonObject {
  const { input: members, ...ingress } = toJson(StoredInferenceSchema, requestToMessage(input)) as JsonObject;
  return { ...(members as JsonObject), ...ingress };
}

/** Writes what was asked or answered as JSON with line breaks: the messages of the RPC API. */
export function rawJson({ input, output }: InferenceContent, side: RawSide): string {
  const json = side === "request" ? requestJson(input) : toJson(GenerateResponseSchema, output);
  return JSON.stringify(json, undefined, 2);
}

/** The form in which a recorded request is asked for again. */
export interface PublicRequestQuery {
  /** Absent: the format that it came in, and Chat for what came over RPC. */
  readonly format?: FormatName | undefined;
  /** The model to ask in place of the recorded one. */
  readonly model?: string | undefined;
  /** The inference whose conversation it continues. */
  readonly previousId: string | null;
}

/** A recorded request as a client would send it. */
interface PublicRequest {
  readonly format: FormatName;
  /** Name of the model, as the request has it. */
  readonly model: string;
  /** The JSON of its body. */
  readonly text: string;
  /** Parts that the format cannot carry. */
  readonly losses: readonly string[];
}

/** Writes a recorded request as a client would send it, not streamed. Throws INVALID_REQUEST as the format does. */
export function publicRequest(input: HubInput, query: PublicRequestQuery): PublicRequest {
  const { previousId } = query;
  const own = FORMATS[input.dialect];
  // Responses alone can go on with another inference.
  const format = query.format ?? own ?? (previousId === null ? "chat" : "responses");
  const model = query.model ?? input.model;
  const { body, losses } = encodeInFormat(input, { format, model, streamed: false });
  const previous = format === "responses" && previousId !== null ? { previous_response_id: previousId } : {};
  const text = new TextDecoder().decode(jsonBytes({ ...body, ...previous }));
  return { format, model, text, losses };
}
