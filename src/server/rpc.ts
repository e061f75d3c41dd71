import { Buffer } from "node:buffer";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { deflate, zstdCompress } from "node:zlib";
import { createRegistry } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ContextValues,
  createConnectRouter,
  createContextValues,
  type Interceptor,
} from "@connectrpc/connect";
import type { Compression, UniversalHandler } from "@connectrpc/connect/protocol";
import {
  compressionBrotli,
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ErrorDetailSchema } from "../../gen/attune/error/v1/error_pb.ts";
import { BadRequestSchema } from "../../gen/google/rpc/error_details_pb.ts";
import type { Admit } from "../admission/admission.ts";
import { ADMISSION, SUMMARY } from "../admission/context-key.ts";
import { mostBodyBytes, type ReceiveBody } from "../admission/receive-body.ts";
import type { NoteFailedCall } from "../admission/refused-calls.ts";
import { summarizeRequest } from "../facade/summarize-request.ts";
import type { HeldBytes } from "../hub/held-bytes.ts";
import type { OpenSummary } from "../hub/request-summary.ts";
import { decompress, type Encoding } from "../lib/decompress.ts";
import { yieldIfLarge } from "../lib/event-loop-budget.ts";
import { CALL_SIGNAL, createCallSignal, rejectOnAbort } from "../rpc/call-signal.ts";
import { createRequestGate } from "../rpc/caller.ts";
import { encodeError } from "../rpc/encode-error.ts";
import { mapClientErrors } from "../rpc/map-client-errors.ts";
import { addOpenRoutes, type OpenServices } from "../rpc/open-routes.ts";
import { checkMessage, isEnveloped, type MessageLimits } from "../rpc/receive-message.ts";
import { createRoutes, type RpcServices } from "../rpc/routes.ts";
import { watchRefusals } from "../rpc/watch-refusals.ts";
import { createRpcHeadCheck } from "./check-rpc-head.ts";
import { MAX_OPEN_BYTES, readOpenBody } from "./read-open-body.ts";

/** The message types of error details. */
const DETAILS = createRegistry(ErrorDetailSchema, BadRequestSchema);

/** Compressions of messages. Those of requests are gone before Connect reads them. */
const COMPRESSIONS: Compression[] = [
  compressionGzip,
  compressionBrotli,
  getCompression("zstd", promisify(zstdCompress)),
  getCompression("deflate", promisify(deflate)),
];

function getCompression(name: Encoding, compress: (bytes: Uint8Array) => Promise<Buffer<ArrayBuffer>>): Compression {
  return {
    name,
    compress,
    async decompress(bytes, maxBytes) {
      const plain = await decompress(Buffer.from(bytes), name, { maxBytes, owner: "" });
      if ("bytes" in plain) return new Uint8Array(plain.bytes);
      throw new ConnectError(`the message is not ${name}, or too large`, Code.InvalidArgument);
    },
  };
}

/** The options of the RPC API. */
interface RpcOptions {
  readonly services: RpcServices;
  readonly admit: Admit;
  /** Judges the callers of the administrative service. */
  readonly admitAdmin: Admit;
  /** Judges who sends feedback. */
  readonly admitFeedback: Admit;
  /** Hears of calls that fail. */
  readonly noteFailed: NoteFailedCall;
  readonly openSummary: OpenSummary;
  readonly receiveBody: ReceiveBody;
  readonly limits: MessageLimits;
  /** The services without a key. */
  readonly open: Omit<OpenServices, "closing">;
}

/**
 * Reads the body of a call once it is asked for the first bytes; what Connect sees of its head may be changed before.
 */
type ReadBody = (handler: UniversalHandler, raw: RawExchange, head: RequestHead) => AsyncIterable<Uint8Array>;

/** A call as Node has it. */
type RawExchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

type RequestHead = Pick<ReturnType<typeof toUniversal>, "header" | "contextValues">;

/**
 * Registers the RPC API: Connect, gRPC and gRPC-Web. Connect's own plugin hands bodies to its decoder as they come;
 * here a body is read once its sender was admitted, within the limits that JSON has too, and what it costs to decode is
 * known before.
 */
export async function rpc(app: FastifyInstance, options: RpcOptions): Promise<void> {
  const { services, noteFailed, openSummary, receiveBody, limits, open } = options;
  const gate = createRequestGate(options);
  const router = createConnectRouter({
    acceptCompression: COMPRESSIONS,
    readMaxBytes: limits.bodyBytes,
    async requestGate(context) {
      context.values.set(CALL_SIGNAL, createCallSignal(context));
      mapClientErrors(context);
      watchRefusals(context, noteFailed);
      await gate(context);
    },
    interceptors: [yieldAfterDecoding],
    // What is not known would be dropped in silence: names of enums as well as of fields. The details of a failed
    // feedback event are messages within a message, which JSON names by their types.
    jsonOptions: { ignoreUnknownFields: false, registry: DETAILS },
  });
  createRoutes(services)(router);
  // It knows no compression: a few bytes could become many.
  const openRouter = createConnectRouter({
    readMaxBytes: MAX_OPEN_BYTES,
    requestGate: mapClientErrors,
    jsonOptions: { ignoreUnknownFields: false },
  });
  const closing = new AbortController();
  addOpenRoutes(openRouter, { ...open, closing: closing.signal });
  app.addHook("preClose", async () => closing.abort(new ConnectError("the service is stopping", Code.Unavailable)));
  const paths = new Set(router.handlers.map(({ requestPath }) => requestPath));
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    const { url = "" } = request.routeOptions;
    if (paths.has(url)) summarizeRequest(openSummary, reply, url.slice(1));
    done();
  });
  app.addHook("onRequest", createRpcHeadCheck(router.handlers));
  app.removeAllContentTypeParsers();
  // The protocols tell of wrong content types themselves, and read the body only after the gate.
  app.addContentTypeParser("*", (_request, _payload, done) => done(null, undefined));
  for (const handler of router.handlers) {
    app.all(handler.requestPath, (request, reply) => answer(handler, readWhole, request, reply));
  }
  const readOpen: ReadBody = (_handler, { request }) => readOpenBody(request, closing.signal);
  for (const handler of openRouter.handlers) {
    app.all(handler.requestPath, (request, reply) => answer(handler, readOpen, request, reply));
  }

  function readWhole(handler: UniversalHandler, raw: RawExchange, { header, contextValues }: RequestHead) {
    if (!isEnveloped(getContentType(raw.request.headers))) hideCompression(header);
    return readMessage(handler, raw, contextValues);
  }

  /** Reads nothing before it is asked for the first bytes, which comes after the gate. */
  async function* readMessage({ method }: UniversalHandler, raw: RawExchange, values: ContextValues) {
    try {
      const summary = values.get(SUMMARY);
      let held: HeldBytes | undefined;
      const onHeld = (of: HeldBytes): void => {
        held = of;
        if (summary !== undefined) summary.held = of;
      };
      const signal = values.get(CALL_SIGNAL);
      const sender = values.get(ADMISSION)?.principal ?? NOBODY;
      const received = receiveBody(raw.request, sender, { closing: raw.response, onHeld });
      const bytes = signal === undefined ? await received : await rejectOnAbort(received, signal);
      await yieldIfLarge(bytes.length);
      const { headers } = raw.request;
      const contentType = getContentType(headers);
      const message = await checkMessage(
        { bytes, schema: method.input, contentType, encoding: getEncoding(headers), keyId: sender.keyId },
        { ...limits, bodyBytes: mostBodyBytes(sender, limits) },
      );
      // A few bytes may have become many.
      const refusal = message.length > bytes.length ? held?.holdUntilClosed(message.length, raw.response) : undefined;
      if (refusal !== undefined) throw refusal;
      // A call whose time is over is late; that its message could not be decoded would be told as this service's
      // failure.
      signal?.throwIfAborted();
      await yieldIfLarge(bytes.length);
      yield message;
    } catch (thrown) {
      throw encodeError(thrown);
    }
  }
}

/** Connect sees a message as it is once it was decompressed and checked, and compares it with a length. */
function hideCompression(header: RequestHead["header"]): void {
  if (!header.has("content-encoding")) return;
  header.delete("content-encoding");
  header.delete("content-length");
}

/** A caller whom nobody has admitted: the gate lets none through. */
const NOBODY = { keyId: "", projectId: "" };

/** Has Connect answer a call. */
async function answer(
  handler: UniversalHandler,
  read: ReadBody,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  // Connect writes the answer itself.
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  try {
    const universal = toUniversal(request.raw, reply.raw);
    universal.contextValues.set(SUMMARY, request.summary);
    const body = read(handler, { request: request.raw, response: reply.raw }, universal);
    await universalResponseToNodeResponse(await handler({ ...universal, body }), reply.raw);
  } catch (thrown) {
    if (ConnectError.from(thrown).code === Code.Aborted || request.raw.destroyed) return;
    request.log.error({ err: thrown, method: handler.method.name }, "an RPC could not be answered");
    reply.raw.destroy();
  }
}

/** Lets other work run between the decoding of a large message and what is made of it. */
const yieldAfterDecoding: Interceptor = (next) => async (request) => {
  const turn = yieldIfLarge(Number(request.header.get("content-length") ?? Number.POSITIVE_INFINITY));
  if (turn !== undefined) await turn;
  return await next(request);
};

function toUniversal(request: IncomingMessage, response: ServerResponse) {
  const contextValues = createContextValues();
  return { ...universalRequestFromNodeRequest(request, response, undefined, contextValues), contextValues };
}

function getContentType(headers: IncomingHttpHeaders): string {
  return (headers["content-type"] ?? "").toLowerCase();
}

/** Each protocol names the compression of its messages in a header of its own. */
function getEncoding(headers: IncomingHttpHeaders): string | undefined {
  const contentType = getContentType(headers);
  const name = contentType.startsWith("application/grpc") ? "grpc-encoding" : "connect-content-encoding";
  const value = headers[isEnveloped(contentType) ? name : "content-encoding"];
  return typeof value === "string" && value !== "" ? value : undefined;
}
