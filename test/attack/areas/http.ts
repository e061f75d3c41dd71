import type { Area, Input, Target } from "../area.ts";
import { ANSWER_MS, Connection } from "../http/connection.ts";
import { describeRequest, type Request, writeRequest } from "../http/request.ts";
import { anyMethod, contentType, oddHeaders, oddPath, oddQuery, wrongKeyHeaders } from "../inputs/head.ts";
import { largeBody } from "../inputs/large.ts";
import { mutate, toBody } from "../inputs/mutate.ts";
import { RIGHT_REQUESTS } from "../inputs/requests.ts";
import { judgeExchange } from "../judge.ts";
import type { Random } from "../random.ts";

/** The JSON routes, asked with a right key. */
export const httpArea: Area = {
  name: "http",
  share: 34,
  lanes: 8,
  limitMs: ANSWER_MS + 5000,
  open: (target) => openLane(target, (random) => keyed(random, target)),
};

/** The same routes without a right key. Whoever has none must cost next to nothing. */
export const keylessArea: Area = {
  name: "keyless",
  share: 22,
  lanes: 8,
  limitMs: ANSWER_MS + 5000,
  averageCpuMs: 10,
  open: (target) => openLane(target, (random) => wrongKeyHeaders(random, target.service.wrongKey)),
};

type Headers = readonly (readonly [string, string])[];

function openLane(target: Target, keyOf: (random: Random) => Headers) {
  const connection = new Connection(target.service.port);
  return {
    make: (random: Random): Input => toInput(makeRequest(random, keyOf(random), target), connection, target),
    close: () => connection.close(),
  };
}

function keyed(random: Random, { service }: Target): Headers {
  return random.oneIn(3) ? [["x-api-key", service.key]] : [["authorization", `Bearer ${service.key}`]];
}

/** Makes an input of a request that goes over a connection that is kept. */
export function toInput(request: Request, connection: Connection, { service }: Target): Input {
  const { method, path } = request;
  const expectation = {
    method,
    path,
    namesVersion: request.headers.some(([name]) => name === "anthropic-version"),
    mayClose: false,
    mayFail: path.startsWith("/readyz") ? new Set([503]) : undefined,
    secrets: service.secrets,
  };
  return {
    what: () => describeRequest(request),
    send: async () => judgeExchange(await connection.send(writeRequest(request), method), expectation),
  };
}

const READS = [
  "/healthz",
  "/readyz",
  "/metrics",
  "/",
  "/v1/models",
  "/v1/models/attune/sand",
  "/v1/responses/ID",
  "/v1/responses/ID/input_items",
];

function makeRequest(random: Random, key: Headers, target: Target): Request {
  const shape = random.next();
  if (shape < 0.7) return bodyRequest(random, key, target);
  if (shape < 0.88) return readRequest(random, key, target);
  const hasBody = random.oneIn(2);
  return {
    method: anyMethod(random),
    path: oddPath(random),
    headers: [...key, ...(hasBody ? contentType(random) : []), ...oddHeaders(random)],
    ...(hasBody ? { body: toBody(random, {}) } : {}),
  };
}

function bodyRequest(random: Random, key: Headers, { inferenceIds }: Target): Request {
  const large = random.oneIn(400) ? largeBody(random) : undefined;
  const right = random.pick(RIGHT_REQUESTS);
  const named = random.oneIn(3) ? withId(right.body, random.pick(inferenceIds)) : right.body;
  const headers: Headers = [...key, ...contentType(random), ...(random.oneIn(4) ? oddHeaders(random) : [])];
  return {
    method: random.oneIn(40) ? anyMethod(random) : "POST",
    path: large?.path ?? (random.oneIn(20) ? `${right.path}?${oddQuery(random)}` : right.path),
    headers: headers.filter(([name]) => name !== "content-encoding" || random.oneIn(3)),
    body: large?.body ?? toBody(random, mutate(random, named)),
  };
}

/** Names an inference that exists, where a request can name one. */
function withId(body: unknown, id: string): unknown {
  if (Array.isArray(body)) return body.map((event) => ({ ...(event as object), id }));
  return typeof body === "object" && body !== null && "input" in body ? { ...body, previous_response_id: id } : body;
}

function readRequest(random: Random, key: Headers, { inferenceIds }: Target): Request {
  const id = random.oneIn(2)
    ? random.pick(inferenceIds)
    : random.pick(["resp_1", "%00", "x".repeat(600), "..", "00000000-0000-0000-0000-000000000000"]);
  const path = random.pick(READS).replace("ID", id);
  return {
    method: random.oneIn(5) ? anyMethod(random) : "GET",
    path: random.oneIn(2) ? `${path}?${oddQuery(random)}` : path,
    headers: [...key, ...oddHeaders(random)],
  };
}
