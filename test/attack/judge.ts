import { isUtf8 } from "node:buffer";
import { type Answer, quote } from "./http/answer.ts";
import type { Exchange } from "./http/connection.ts";

/** What may be wrong with what the service did. */
export const KINDS = [
  "5xx",
  "envelope",
  "request id",
  "cut stream",
  "hang",
  "no answer",
  "stall",
  "secret",
  "error log",
  "memory",
  "processor",
  "exit",
] as const;
export type Kind = (typeof KINDS)[number];

/** Something that is wrong. */
export interface Problem {
  readonly kind: Kind;
  readonly detail: string;
}

/** Makes a problem. */
export function problem(kind: Kind, detail: string): Problem {
  return { kind, detail };
}

/** How an exchange is judged. */
export interface Expectation {
  readonly method: string;
  readonly path: string;
  /**
   * Whether the Messages format's version was named, which decides the envelope of the listing of models, and of what
   * is no route.
   */
  readonly namesVersion: boolean;
  /** Whether the bytes may not be a request at all, so that the connection may end without an answer. */
  readonly mayClose: boolean;
  /** Statuses of 502 and beyond that are right. */
  readonly mayFail?: ReadonlySet<number>;
  readonly secrets: readonly string[];
}

/** Judges what came back to one request of HTTP/1.1. */
export function judgeExchange(exchange: Exchange, expectation: Expectation): Problem[] {
  switch (exchange.kind) {
    case "hang":
      return [problem("hang", `no whole answer in time; ${exchange.received} bytes came`)];
    case "closed":
      return expectation.mayClose ? [] : [problem("no answer", "the connection ended without an answer")];
    case "garbage":
      return [problem("envelope", exchange.problem)];
    default:
      return judgeAnswer(exchange.answer, expectation);
  }
}

/** Judges an answer: its status, its form and what it tells. */
export function judgeAnswer(answer: Answer, expectation: Expectation): Problem[] {
  if (tellsOfUnknownRpc(answer)) return findSecrets(answer.body, expectation.secrets);
  const problems: Problem[] = [];
  const { status, headers, body } = answer;
  if (status >= 500 && expectation.mayFail?.has(status) !== true)
    problems.push(problem("5xx", `${status} ${quote(body)}`));
  if (!answer.whole) problems.push(problem("cut stream", `the body ends before its length (${status})`));
  problems.push(
    ...findSecrets(body, expectation.secrets),
    ...findSecrets(Buffer.from(Object.values(headers).join("\n")), expectation.secrets),
  );
  const path = expectation.path.split("?", 1)[0] ?? "";
  // The dashboard and RPC have their own forms of errors, and no identifiers of requests.
  const isElsewhere = /^\/(dashboard|attune\.)/.test(path);
  if (isApi(path) || (status >= 400 && !isElsewhere)) {
    if (headers["x-request-id"] === undefined) problems.push(problem("request id", `${status} without x-request-id`));
  }
  if (status >= 400 && expectation.method !== "HEAD") problems.push(...judgeError(answer, expectation, path));
  if (status === 200 && headers["content-type"]?.startsWith("text/event-stream")) {
    const end = streamEnd(body.toString("utf8"));
    if (end === "cut") problems.push(problem("cut stream", `the stream has no end: ${quote(body.subarray(-160))}`));
  } else if (status === 200 && isApi(path) && expectation.method !== "HEAD" && parseJson(body) === undefined) {
    problems.push(problem("envelope", `200 that is not JSON: ${quote(body)}`));
  }
  return problems;
}

/** An RPC that nobody serves, at whatever path, is answered as its protocol says it. */
function tellsOfUnknownRpc({ status, headers, body }: Answer): boolean {
  if (headers["grpc-status"] === "12" || headers["content-type"]?.startsWith("application/connect+")) return true;
  const value = status === 501 ? parseJson(body) : undefined;
  return isObject(value) && value["code"] === "unimplemented";
}

const isApi = (path: string): boolean => /^\/v1(\/|$)/.test(path);

const NOWHERE = /^(?:there is no|the path is not a valid URL)/;

function judgeError({ status, body }: Answer, { namesVersion }: Expectation, path: string): Problem[] {
  const wrong = (): Problem[] => [problem("envelope", `${status} ${quote(body)}`)];
  // What is asked of an RPC method in no protocol of its own is refused without a body.
  if (path.startsWith("/attune.") && body.length === 0) return [];
  const value = parseJson(body);
  if (!isObject(value) || !isObject(value["error"])) return wrong();
  const { error } = value;
  if (path.startsWith("/dashboard") && typeof error["message"] === "string") return [];
  if (typeof error["message"] !== "string" || typeof error["type"] !== "string") return wrong();
  // What names no route, or no method of it, is told in the format that the headers speak.
  const isNowhere = status === 405 || NOWHERE.test(error["message"]);
  const isMessages = /\/v1\/messages/.test(path) || (namesVersion && (isNowhere || /\/v1\/models/.test(path)));
  // A head that cannot be read names no route: that is told in the envelope of most routes.
  const isUnread = status === 431 || status === 408 || error["message"] === "this is not an HTTP request";
  if (isMessages && (!isUnread || value["type"] === "error"))
    return value["type"] === "error" && typeof value["request_id"] === "string" ? [] : wrong();
  return "param" in error && "code" in error ? [] : wrong();
}

/** Finds what must not be told. */
export function findSecrets(bytes: Buffer, secrets: readonly string[]): Problem[] {
  return secrets
    .filter((secret) => bytes.includes(secret))
    .map((secret) => problem("secret", `the answer holds ${secret.slice(0, 6)}…`));
}

/** How a stream of any of the formats ends. */
export function streamEnd(text: string): "finished" | "failed" | "cut" {
  if (!text.endsWith("\n\n")) return "cut";
  const frames = text.split("\n\n").filter((frame) => /^(event|data):/m.test(frame));
  const isClosed = /^data: \[DONE\]$/.test(frames.at(-1) ?? "");
  // The mark behind the last event of a Response says nothing of how it went.
  const last = isClosed && /^event: /.test(frames.at(-2) ?? "") ? frames.at(-2) : frames.at(-1);
  if (last === undefined) return "cut";
  if (/^event: (error|response\.failed)$/m.test(last) || /^data: \{"error":/m.test(last)) return "failed";
  const isLast = last.startsWith("event: ")
    ? /^event: (message_stop|response\.(completed|incomplete))$/m.test(last)
    : isClosed;
  return isLast ? "finished" : "cut";
}

/** Parses bytes as JSON; undefined if they are none. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return isUtf8(bytes) ? JSON.parse(bytes.toString("utf8")) : undefined;
  } catch {
    return undefined;
  }
}

/** Tells whether a value is an object with members. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
