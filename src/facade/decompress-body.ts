import type { Buffer } from "node:buffer";
import type { FastifyReply, FastifyRequest } from "fastify";
import { mostBodyBytes, type ReceiveBody, type ReceiveLimits, type RequestStream } from "../admission/receive-body.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import { headerError } from "../hub/header-error.ts";
import type { HeldBytes } from "../hub/held-bytes.ts";
import { decompress, ENCODINGS, type Encoding, isEncoding } from "../lib/decompress.ts";
import { getAdmission } from "./admit-request.ts";
import { getEnvelope } from "./envelope.ts";
import { sendFailure } from "./fail.ts";
import { getAnswer } from "./summarize-request.ts";

const HEADER = "content-encoding";

/** Most times that a body may be compressed. */
const MOST_STEPS = 2;

/** Returns the compressions of a body in the order in which they were made; undefined if one of them is not known. */
function getEncodings({ headers }: FastifyRequest): readonly Encoding[] | undefined {
  const names = (headers[HEADER] ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim().replace(/^x-gzip$/, "gzip"))
    .filter((name) => name !== "" && name !== "identity");
  return names.length <= MOST_STEPS && names.every(isEncoding) ? names : undefined;
}

/** Refuses a body whose compression is not known, before it is read; undefined for any other. */
export function refuseEncoding(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  const encoding = request.headers[HEADER];
  if (encoding === undefined || getEncodings(request) !== undefined) return undefined;
  const taken = ENCODINGS.join(", ");
  const problem = `says '${encoding.slice(0, 32)}', which is not supported: use one of ${taken}, or send the body uncompressed`;
  reply.header("accept-encoding", taken);
  return sendFailure(reply, headerError(HEADER, problem), (error, requestId) => ({
    ...getEnvelope(request)(error, requestId),
    status: 415,
  }));
}

/**
 * Reads the body of an admitted request, and decompresses it: what it unpacks to has the limits of plain bodies, and
 * counts as one. Rejects as ReceiveBody does, and with INVALID_REQUEST for a body that is not compressed as its header
 * says.
 */
export async function receivePlainBody(
  receiveBody: ReceiveBody,
  { request, payload }: { readonly request: FastifyRequest; readonly payload: RequestStream },
  limits: Pick<ReceiveLimits, "bodyBytes">,
): Promise<Buffer> {
  const { principal } = getAdmission(request);
  const encodings = getEncodings(request) ?? [];
  const answer = getAnswer(request);
  if (encodings.length === 0) return await receiveBody(payload, principal, answer);
  let held: HeldBytes | undefined;
  const onHeld = (of: HeldBytes): void => {
    held = of;
    answer.onHeld?.(of);
  };
  let bytes = await receiveBody(payload, principal, { ...answer, onHeld });
  const maxBytes = mostBodyBytes(principal, limits);
  for (const encoding of encodings.toReversed()) {
    const plain = await decompress(bytes, encoding, { maxBytes, owner: principal.keyId });
    if ("problem" in plain) throw getProblem(plain, encoding, maxBytes);
    // A few bytes may have become many.
    const refusal = held?.holdUntilClosed(Math.max(bytes.length, plain.bytes.length), answer.closing);
    if (refusal !== undefined) throw refusal;
    bytes = plain.bytes;
  }
  return bytes;
}

function getProblem(
  { problem, cause }: { readonly problem: string; readonly cause: unknown },
  encoding: Encoding,
  maxBytes: number,
): InferenceError {
  if (problem === "broken") {
    const message = `the body is not ${encoding}, as the header '${HEADER}' says`;
    return new InferenceError(ErrorReason.INVALID_REQUEST, message, { cause });
  }
  const message = `the request's body is larger than the ${maxBytes} bytes that this service accepts once it is decompressed`;
  return new InferenceError(ErrorReason.REQUEST_TOO_LARGE, message);
}
