import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import {
  Code,
  ConnectError,
  type ContextValues,
  createConnectRouter,
  createContextValues,
  type Interceptor,
} from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import {
  compressionBrotli,
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Admit } from "../admission/admission.ts";
import { ADMISSION } from "../admission/context-key.ts";
import type { ReceiveBody } from "../admission/receive-body.ts";
import { takeTurns } from "../lib/take-turns.ts";
import { blameCaller } from "../rpc/blame-caller.ts";
import { CALL_SIGNAL, callSignalOf, rejectOnAbort } from "../rpc/call-signal.ts";
import { createRequestGate } from "../rpc/caller.ts";
import { encodeError } from "../rpc/encode-error.ts";
import { checkMessage, isEnveloped, type MessageLimits } from "../rpc/receive-message.ts";
import { createRoutes, type RpcServices } from "../rpc/routes.ts";
import { checkRpcHead } from "./check-rpc-head.ts";

/** What the RPC API is made of. */
export interface RpcOptions {
  readonly services: RpcServices;
  readonly admit: Admit;
  readonly receiveBody: ReceiveBody;
  readonly limits: MessageLimits;
}

/**
 * Registers the RPC API: Connect, gRPC and gRPC-Web. Connect's own plugin hands bodies to its decoder as they come; here a body
 * is read once its sender was admitted, within the limits that JSON has too, and what it costs to decode is known before.
 */
export async function rpc(app: FastifyInstance, { services, admit, receiveBody, limits }: RpcOptions): Promise<void> {
  const gate = createRequestGate(admit);
  const router = createConnectRouter({
    acceptCompression: [compressionGzip, compressionBrotli],
    readMaxBytes: limits.bodyBytes,
    async requestGate(context) {
      context.values.set(CALL_SIGNAL, callSignalOf(context));
      blameCaller(context);
      await gate(context);
    },
    interceptors: [takeTurnsAfterDecoding],
    // What is not known would be dropped in silence: names of enums as well as of fields.
    jsonOptions: { ignoreUnknownFields: false },
  });
  createRoutes(services)(router);
  app.addHook("onRequest", checkRpcHead);
  app.removeAllContentTypeParsers();
  // The protocols tell of wrong content types themselves, and read the body only after the gate.
  app.addContentTypeParser("*", (_request, _payload, done) => done(null, undefined));
  for (const handler of router.handlers) {
    app.all(handler.requestPath, (request, reply) => answer(handler, request, reply));
  }

  async function answer(handler: UniversalHandler, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // Connect writes the answer itself.
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    const contextValues = createContextValues();
    try {
      const universal = toUniversal(request.raw, reply.raw, contextValues);
      // Connect sees the message as it is once it was decompressed and checked.
      const { headers } = request;
      if (!isEnveloped(contentTypeOf(headers))) universal.header.delete("content-encoding");
      const body = readMessage(handler, request.raw, contextValues);
      await universalResponseToNodeResponse(await handler({ ...universal, body }), reply.raw);
    } catch (thrown) {
      if (ConnectError.from(thrown).code === Code.Aborted || request.raw.destroyed) return;
      request.log.error({ err: thrown, method: handler.method.name }, "an RPC could not be answered");
      reply.raw.destroy();
    }
  }

  /** Reads nothing before it is asked for the first bytes, which comes after the gate. */
  async function* readMessage({ method }: UniversalHandler, raw: IncomingMessage, values: ContextValues) {
    try {
      const signal = values.get(CALL_SIGNAL);
      const received = receiveBody(raw, values.get(ADMISSION)?.principal.keyId ?? "");
      const bytes = signal === undefined ? await received : await rejectOnAbort(received, signal);
      await takeTurns(bytes.length);
      const { headers } = raw;
      const contentType = contentTypeOf(headers);
      const message = await checkMessage(
        { bytes, schema: method.input, contentType, encoding: encodingOf(headers) },
        limits,
      );
      // A call whose time is over is late; that its message could not be decoded would be told as this service's failure.
      signal?.throwIfAborted();
      await takeTurns(bytes.length);
      yield message;
    } catch (thrown) {
      throw encodeError(thrown);
    }
  }
}

/** Lets others have their turn between the decoding of a large message and what is made of it. */
const takeTurnsAfterDecoding: Interceptor = (next) => async (request) => {
  const turn = takeTurns(Number(request.header.get("content-length") ?? Number.POSITIVE_INFINITY));
  if (turn !== undefined) await turn;
  return await next(request);
};

function toUniversal(request: IncomingMessage, response: ServerResponse, contextValues: ContextValues) {
  return universalRequestFromNodeRequest(request, response, undefined, contextValues);
}

function contentTypeOf(headers: IncomingHttpHeaders): string {
  return (headers["content-type"] ?? "").toLowerCase();
}

/** Each protocol names the compression of its messages in a header of its own. */
function encodingOf(headers: IncomingHttpHeaders): string | undefined {
  const contentType = contentTypeOf(headers);
  const name = contentType.startsWith("application/grpc") ? "grpc-encoding" : "connect-content-encoding";
  const value = headers[isEnveloped(contentType) ? name : "content-encoding"];
  return typeof value === "string" && value !== "" ? value : undefined;
}
