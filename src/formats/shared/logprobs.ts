import { create } from "@bufbuild/protobuf";
import {
  type Dialect,
  type Logprobs,
  LogprobsSchema,
  RawJsonSchema,
  type TokenLogprob,
  TokenLogprobSchema,
} from "../../../gen/attune/content/v1/content_pb.ts";
import { isJsonObject, type JsonObject, parseJsonObject, unknownMembers } from "./json.ts";

/**
 * Members of a token, the same in both formats. Sources: ChatCompletionTokenLogprob, ResponseOutputText.Logprob and
 * ResponseTextDeltaEvent.Logprob of the openai SDK, of which the last one has no bytes.
 */
const KNOWN: ReadonlySet<string> = new Set(["token", "logprob", "bytes", "top_logprobs"]);
const KNOWN_WITHOUT_BYTES: ReadonlySet<string> = new Set(["token", "logprob", "top_logprobs"]);

/** Decodes the tokens of an upstream's answer; undefined if there are none. What is no object is no token. */
export function decodeLogprobs(value: unknown, dialect: Dialect): Logprobs | undefined {
  const tokens = decodeTokens(value, dialect);
  return tokens.length === 0 ? undefined : create(LogprobsSchema, { tokens });
}

function decodeTokens(value: unknown, dialect: Dialect): TokenLogprob[] {
  return Array.isArray(value) ? value.filter(isJsonObject).map((token) => decodeToken(token, dialect)) : [];
}

function decodeToken(token: JsonObject, dialect: Dialect): TokenLogprob {
  const bytes = decodeBytes(token.bytes);
  const isKnown = bytes !== undefined || token.bytes === undefined || token.bytes === null;
  const rest = unknownMembers(token, isKnown ? KNOWN : KNOWN_WITHOUT_BYTES);
  return create(TokenLogprobSchema, {
    token: typeof token.token === "string" ? token.token : "",
    logprob: toNumber(token.logprob),
    ...(bytes === undefined ? {} : { bytes }),
    topLogprobs: decodeTokens(token.top_logprobs, dialect),
    ...(rest && { extension: create(RawJsonSchema, { dialect, json: JSON.stringify(rest) }) }),
  });
}

function decodeBytes(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  return Array.isArray(value) && value.every(isByte) ? Uint8Array.from(value) : undefined;
}

function isByte(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255;
}

/** One with more digits than a double holds has come as its text. */
function toNumber(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "object" && value !== null ? Number(JSON.stringify(value)) : Number.NaN;
}

/** The form of tokens in a format. */
export interface LogprobForm {
  readonly dialect: Dialect;
  /** True if the format says `null` of bytes that nobody has told, and not nothing. */
  readonly saysNull: boolean;
}

/** Encodes tokens for a caller. */
export function encodeLogprobs({ tokens }: Pick<Logprobs, "tokens">, form: LogprobForm): JsonObject[] {
  return tokens.map((token) => ({
    ...encodeToken(token, form),
    top_logprobs: token.topLogprobs.map((top) => ({ ...encodeToken(top, form), ...ownMembers(top, form) })),
    ...ownMembers(token, form),
  }));
}

function encodeToken({ token, logprob, bytes }: TokenLogprob, { saysNull }: LogprobForm): JsonObject {
  const byteList = bytes === undefined ? null : [...bytes];
  // JSON has no other word for what is not a number.
  return {
    token,
    logprob: Number.isNaN(logprob) ? null : logprob,
    ...(byteList || saysNull ? { bytes: byteList } : {}),
  };
}

function ownMembers({ extension }: TokenLogprob, { dialect }: LogprobForm): JsonObject | undefined {
  return extension?.dialect === dialect ? parseJsonObject(extension.json) : undefined;
}
