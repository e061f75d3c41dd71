import { create } from "@bufbuild/protobuf";
import {
  type CreateEmbeddingsRequest,
  CreateEmbeddingsRequestSchema,
  EmbeddingEncoding,
  type TokenInput,
  TokenInputSchema,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { extraMembers, type JsonObject } from "../../shared/json.ts";
import { optional, readArray, readChoice, readInteger, readName, readString, WireError } from "../../shared/read.ts";
import { embeddingsJson } from "../raw-json.ts";

/** Members that the hub has fields for. */
const KNOWN = new Set(["model", "input", "dimensions", "encoding_format", "user"]);

const ENCODINGS = { float: EmbeddingEncoding.FLOAT, base64: EmbeddingEncoding.BASE64 } as const;

/** Inputs of one request; more would be made messages of before they are refused. */
const MOST_INPUTS = 2048;

const FORMS = "a text, a list of texts, a list of tokens, or a list of lists of tokens";

/** Decodes the body of POST /v1/embeddings. Throws WireError. */
export function decodeRequest(body: JsonObject): CreateEmbeddingsRequest {
  const encoding = optional(body.encoding_format, "encoding_format", readChoice, ["float", "base64"] as const);
  const dimensions = optional(body.dimensions, "dimensions", readInteger, { min: 1 });
  const endUserId = optional(body.user, "user", readString);
  return create(CreateEmbeddingsRequestSchema, {
    model: readName(body.model, "model"),
    ...decodeInput(body.input),
    ...(encoding !== undefined && { encoding: ENCODINGS[encoding] }),
    ...(dimensions !== undefined && { dimensions }),
    ...(endUserId !== undefined && { endUserId }),
    extension: embeddingsJson(extraMembers(body, KNOWN)),
  });
}

function decodeInput(input: unknown): { readonly texts?: string[]; readonly tokenInputs?: TokenInput[] } {
  if (typeof input === "string") return { texts: [input] };
  if (input === undefined || input === null) throw new WireError("input", `is required: ${FORMS}`);
  if (!Array.isArray(input)) throw new WireError("input", `must be ${FORMS}`);
  const [first] = input;
  if (first === undefined) throw new WireError("input", `must not be empty: send ${FORMS}`);
  if (typeof first !== "number" && input.length > MOST_INPUTS) {
    throw new WireError("input", `must have at most ${MOST_INPUTS} texts, not ${input.length}`);
  }
  if (typeof first === "number") return { tokenInputs: [readTokens(input, "input")] };
  if (typeof first === "string") return { texts: input.map((text, index) => readString(text, `input[${index}]`)) };
  return { tokenInputs: input.map((tokens, index) => readTokens(tokens, `input[${index}]`)) };
}

const MOST_TOKEN = 2 ** 31 - 1;

function isToken(token: unknown): token is number {
  return Number.isInteger(token) && Number(token) >= 0 && Number(token) <= MOST_TOKEN;
}

function readTokens(value: unknown, path: string): TokenInput {
  const tokens = readArray(value, path);
  if (tokens.length === 0) throw new WireError(path, "must not be empty: it is a text as tokens");
  const wrong = tokens.findIndex((token) => !isToken(token));
  // To spell the place of each of a million tokens would take longer than to read them.
  if (wrong !== -1) readInteger(tokens[wrong], `${path}[${wrong}]`, { min: 0, max: MOST_TOKEN });
  return create(TokenInputSchema, { tokens: tokens.filter(isToken) });
}
