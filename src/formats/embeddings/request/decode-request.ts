import { create } from "@bufbuild/protobuf";
import {
  type CreateEmbeddingsRequest,
  CreateEmbeddingsRequestSchema,
  EmbeddingEncoding,
  type TokenInput,
  TokenInputSchema,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import type { JsonObject } from "../../shared/json.ts";
import { choiceMember, decodedMember, integerMember, required, textMember } from "../../shared/member.ts";
import { readArray, readInteger, readString, WireError } from "../../shared/read.ts";
import { MODEL } from "../../shared/request-members.ts";
import { integer, list, oneOf, text } from "../../shared/schema.ts";
import { listWords } from "../../shared/words.ts";
import { embeddingsJson } from "../raw-json.ts";

const ENCODINGS = { float: EmbeddingEncoding.FLOAT, base64: EmbeddingEncoding.BASE64 } as const;

/** Inputs of one request; more would be made messages of before they are refused. */
const MOST_INPUTS = 2048;

const FORMS = "a text, a list of texts, a list of tokens, or a list of lists of tokens";

const token = integer("Number of a token", { minimum: 0 });
const tokens = list(token, "Text as tokens", { minItems: 1 });
const bounds = { minItems: 1, maxItems: MOST_INPUTS };
const input = {
  read: decodeInput,
  schema: oneOf(
    [text("Text"), list({ type: "string" }, "Texts", bounds), tokens, list(tokens, "Texts as tokens", bounds)],
    "Input",
  ),
};

/** A request of the Embeddings format. */
export const REQUEST = decodedMember(
  {
    model: required(MODEL),
    input: required(input),
    dimensions: integerMember("Numbers per embedding", { min: 1, max: 65536 }),
    encoding_format: choiceMember(listWords(ENCODINGS), "Encoding of the embeddings"),
    user: textMember("End user"),
  },
  "A request for embeddings",
  ({ model, input, dimensions, encoding_format: encoding, user }, { rest }): CreateEmbeddingsRequest =>
    create(CreateEmbeddingsRequestSchema, {
      model,
      ...input,
      ...(encoding !== undefined && { encoding: ENCODINGS[encoding] }),
      ...(dimensions !== undefined && { dimensions }),
      ...(user !== undefined && { endUserId: user }),
      extension: embeddingsJson(rest),
    }),
);

/** Decodes the body of POST /v1/embeddings. Throws WireError. */
export function decodeRequest(body: JsonObject): CreateEmbeddingsRequest {
  return REQUEST.read(body, "", undefined);
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
