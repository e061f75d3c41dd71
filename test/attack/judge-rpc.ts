import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { type Answer, quote } from "./http/answer.ts";
import { isObject, type Problem, parseJson, problem } from "./judge.ts";

/** Codes that say that the service failed, in the words of Connect and the numbers of gRPC. */
const FAILED_CODES = new Set(["internal", "unknown", "data_loss"]);
const FAILED_STATUSES = new Set(["2", "13", "15"]);

/** Judges an answer of Connect to one message, or one of the facade to a call that none of the protocols knows. */
export function judgeUnary(answer: Pick<Answer, "status" | "headers" | "body">): Problem[] {
  const { status, headers } = answer;
  const body = decompressed(answer);
  // 501 is how Connect says that it does not know a compression, 504 that the caller's own time is over.
  if (status >= 500 && status !== 501 && status !== 504) return [problem("5xx", `${status} ${quote(body)}`)];
  // 415 and 405 of the protocol have no body: they say in headers what is taken.
  if (status === 200 || ((status === 415 || status === 405) && body.length === 0)) return [];
  const value = parseJson(body);
  if (!isObject(value)) return [problem("envelope", `${status} ${headers["content-type"]} ${quote(body)}`)];
  if (isObject(value["error"]) && typeof value["error"]["message"] === "string") return [];
  if (typeof value["code"] !== "string") return [problem("envelope", `${status} ${quote(body)}`)];
  return FAILED_CODES.has(value["code"]) ? [problem("5xx", `${status} ${quote(body)}`)] : [];
}

/** A caller that takes compressed answers gets them. */
function decompressed({ headers, body }: Pick<Answer, "headers" | "body">): Buffer {
  const encoding = headers["content-encoding"];
  return decompress(body, encoding);
}

function decompress(bytes: Buffer, encoding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes;
  if (encoding === "gzip") return gunzipSync(bytes);
  return encoding === "br" ? brotliDecompressSync(bytes) : bytes;
}

/** Judges the frames of a stream of Connect, or of an answer of gRPC-Web: the last one says how it went. */
export function judgeFramed({ body, headers }: Answer): Problem[] {
  if (headers["grpc-status"] !== undefined) return judgeGrpc({ ...headers, ":status": "200" }, {});
  let last: Buffer | undefined;
  let flags = 0;
  for (let at = 0; at < body.length; ) {
    if (at + 5 > body.length) return [problem("cut stream", "the stream ends in the head of a frame")];
    const end = at + 5 + body.readUInt32BE(at + 1);
    if (end > body.length) return [problem("cut stream", "the stream ends in a frame")];
    flags = body.readUInt8(at);
    last = body.subarray(at + 5, end);
    at = end;
  }
  if (last === undefined || (flags & 0x82) === 0)
    return [problem("cut stream", `the stream has no end: ${quote(body.subarray(-120))}`)];
  // The last frame may be compressed like all others.
  const encoding = headers["grpc-encoding"] ?? headers["connect-content-encoding"];
  const end = (flags & 1) === 0 ? last : decompress(last, encoding);
  return (flags & 0x80) !== 0 ? judgeTrailers(end) : judgeEnd(end);
}

function judgeTrailers(bytes: Buffer): Problem[] {
  const status = /^grpc-status: ?(\d+)/im.exec(bytes.toString("latin1"))?.[1];
  if (status === undefined) return [problem("envelope", `no grpc-status: ${quote(bytes)}`)];
  return FAILED_STATUSES.has(status) ? [problem("5xx", quote(bytes))] : [];
}

function judgeEnd(bytes: Buffer): Problem[] {
  const value = parseJson(bytes);
  if (!isObject(value)) return [problem("envelope", `the end of the stream is no object: ${quote(bytes)}`)];
  const { error } = value;
  if (error === undefined) return [];
  if (!isObject(error) || typeof error["code"] !== "string") return [problem("envelope", quote(bytes))];
  return FAILED_CODES.has(error["code"]) ? [problem("5xx", quote(bytes))] : [];
}

/** Judges how a call of gRPC ended. */
export function judgeGrpc(
  headers: Readonly<Record<string, string>>,
  trailers: Readonly<Record<string, string>>,
): Problem[] {
  const status = trailers["grpc-status"] ?? headers["grpc-status"];
  const message = trailers["grpc-message"] ?? headers["grpc-message"];
  if (status === undefined) return [problem("envelope", `no grpc-status (HTTP ${headers[":status"]})`)];
  return FAILED_STATUSES.has(status) ? [problem("5xx", `grpc-status ${status}: ${message}`)] : [];
}
