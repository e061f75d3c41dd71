import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Admission, Admit } from "../admission/admission.ts";
import { readCallFacts } from "../admission/call-facts.ts";
import { isJsonObject, type JsonObject } from "../formats/shared/json.ts";
import { headerError } from "../hub/header-error.ts";
import type { IdempotencyKey } from "../hub/idempotency-key.ts";
import type { HubInput } from "../hub/input.ts";
import { clientAddress } from "../lib/client-address.ts";
import { type AdmittedCall, admittedCall } from "./client/admitted-call.ts";
import { keyHeaders } from "./request-headers.ts";

const HEADER = "x-request-timeout";

/** Seconds, or with the unit. */
const TIMEOUT = /^(\d{1,9}(?:\.\d{1,6})?)(s|ms)?$/;

/**
 * Headers in which the official SDKs say how many seconds they wait: TypeScript and Go in the first, Python in the
 * second.
 */
const SDK_HEADERS = ["x-stainless-timeout", "x-stainless-read-timeout"] as const;

/** Longest time that a timer can wait, about 25 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

declare module "fastify" {
  interface FastifyRequest {
    /** The admission of the request; undefined until it is admitted. */
    admission: Admission | undefined;
    /** The key under which it is answered once; undefined without, and until its body is read. */
    idempotency: IdempotencyKey | undefined;
  }
}

/** Creates the hook that judges a request from its headers, before its body is read. */
export function createAdmitHook(admit: Admit) {
  return (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
    const { authorization, "x-api-key": apiKey } = request.headers;
    const accept = (admission: Admission): void => {
      request.admission = admission;
      if (request.summary !== undefined) request.summary.principal = admission.principal;
      done();
    };
    try {
      const key = typeof apiKey === "string" ? apiKey : undefined;
      const judged = admit({ authorization, apiKey: key, address: clientAddress(request) });
      if (judged instanceof Promise) judged.then(accept, done);
      else accept(judged);
    } catch (thrown) {
      done(thrown as Error);
    }
  };
}

/** Returns what was decided of a request. */
export function getAdmission(request: FastifyRequest): Admission {
  const { admission } = request;
  if (admission === undefined) throw new Error(`${request.method} ${request.routeOptions.url} was not admitted`);
  return admission;
}

/**
 * Returns how an admitted request calls the services; the call is canceled when its client leaves. Throws
 * INVALID_REQUEST.
 */
export function getCall(request: FastifyRequest, reply: FastifyReply): AdmittedCall {
  const { headers, idempotency, summary } = request;
  const timeoutMs = readRequestTimeout(headers);
  const options = {
    headers: keyHeaders(headers),
    signal: abortOnClose(reply),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
  return admittedCall({ admission: getAdmission(request), idempotency, summary }, options);
}

/** Returns a signal that aborts when the client leaves before the answer is complete. */
function abortOnClose(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.on("close", () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** A request in its own format. */
interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
}

/** Adds to a request the facts by which it is found and counted, where it has some. Throws INVALID_REQUEST. */
export function addCallFacts(
  input: HubInput,
  { headers, body }: ReceivedRequest,
  sessionHeaders: readonly string[],
): void {
  const { metadata, user } = body;
  const facts = readCallFacts({
    get: (name) => headers[name]?.toString(),
    sessionHeaders,
    metadata: isJsonObject(metadata) ? metadata : undefined,
    endUsers: [input.endUserId, user],
    promptCacheKey: input.promptCacheKey,
  });
  if (facts !== undefined) input.facts = facts;
}

/**
 * Returns how many milliseconds a caller waits for its answer to begin, by its own header before that of its SDK;
 * undefined if it does not say. Throws INVALID_REQUEST for its own header.
 */
export function readRequestTimeout(headers: IncomingHttpHeaders): number | undefined {
  const own = headers[HEADER];
  if (own !== undefined) {
    const timeoutMs = parseTimeout(String(own));
    if (timeoutMs === undefined) throw headerError(HEADER, "must be a number of seconds such as 30, or 1500ms");
    return timeoutMs;
  }
  for (const name of SDK_HEADERS) {
    const sent = headers[name];
    // What an SDK says without being asked to is no mistake of the caller.
    if (typeof sent === "string") return parseTimeout(sent);
  }
  return undefined;
}

function parseTimeout(text: string): number | undefined {
  const [, count, unit] = TIMEOUT.exec(text) ?? [];
  const timeoutMs = Math.floor(Number(count) * (unit === "ms" ? 1 : 1000));
  return timeoutMs > 0 ? Math.min(timeoutMs, MAX_TIMER_MS) : undefined;
}
