import { type JsonObject, toJson } from "@bufbuild/protobuf";
import { GenerateResponseSchema, StoredInferenceSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { HubInput } from "../../hub/input.ts";
import { requestToMessage } from "../../hub/request-bytes.ts";
import { promptTextOf } from "../../learning/families/prompt-text.ts";
import { type FirstWords, firstWords } from "../../store/bodies/first-words.ts";
import { isRedacted } from "../../store/bodies/redact.ts";
import { decodeMessages, type EncodedContent, type InferenceContent } from "../../store/types/inference-body.ts";
import { type ExampleQuery, trainingExample } from "../datasets/training-example.ts";
import { type PublicRequest, type PublicRequestQuery, publicRequest } from "./public-request.ts";
import { cut, type TextPiece } from "./text-parts.ts";
import { type ContentView, type MessageRange, type MessageView, readPart, viewContent } from "./view-content.ts";

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
    return isRedacted(input) ? undefined : promptTextOf(input);
  },

  /** Two members of a line of an export: what was asked and answered. */
  exportJson(content: EncodedContent): Uint8Array {
    const { input, output } = decode(content);
    const [asked, answered] = [requestJson(input), toJson(GenerateResponseSchema, output)];
    return new TextEncoder().encode(`"request":${JSON.stringify(asked)},"answer":${JSON.stringify(answered)}`);
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
  const { input: asked, ...ingress } = toJson(StoredInferenceSchema, requestToMessage(input)) as JsonObject;
  return { ...(asked as JsonObject), ...ingress };
}

/** Writes what was asked or answered as JSON with line breaks: the messages of the RPC API. */
export function rawJson({ input, output }: InferenceContent, side: RawSide): string {
  const json = side === "request" ? requestJson(input) : toJson(GenerateResponseSchema, output);
  return JSON.stringify(json, undefined, 2);
}
