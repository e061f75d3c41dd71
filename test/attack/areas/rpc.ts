import type { Area, Input, Target } from "../area.ts";
import { ANSWER_MS, Connection, type Exchange } from "../http/connection.ts";
import { type H2Answer, H2Session } from "../http/h2-call.ts";
import { describeRequest, type Request, writeRequest } from "../http/request.ts";
import { bomb, frame, hostileFrames } from "../inputs/frames.ts";
import { oddHeaders, wrongKeyHeaders } from "../inputs/head.ts";
import { toJsonText } from "../inputs/json-text.ts";
import { damage, mutate } from "../inputs/mutate.ts";
import { manyOfOne, mutateProto } from "../inputs/proto-bytes.ts";
import { RIGHT_CALLS, type RightCall } from "../inputs/rpc-messages.ts";
import { findSecrets, type Problem, problem } from "../judge.ts";
import { judgeFramed, judgeGrpc, judgeUnary } from "../judge-rpc.ts";
import type { Random } from "../random.ts";

/** The RPC methods, in each of their protocols. */
export const rpcArea: Area = {
  name: "rpc",
  share: 20,
  lanes: 8,
  limitMs: ANSWER_MS + 5000,
  open(target) {
    const connection = new Connection(target.service.port);
    const session = new H2Session(target.service.url);
    return {
      make: (random) => makeCall(random, target, { connection, session }),
      close() {
        connection.close();
        session.close();
      },
    };
  },
};

interface Transport {
  readonly connection: Connection;
  readonly session: H2Session;
}

const PROTOCOLS = ["connect", "connect", "connect-stream", "grpc-web", "grpc", "grpc"] as const;
type Protocol = (typeof PROTOCOLS)[number];
type Header = readonly [name: string, value: string];

function makeCall(random: Random, target: Target, transport: Transport): Input {
  const right = random.pick(RIGHT_CALLS);
  const protocol = random.oneIn(8) ? random.pick(PROTOCOLS) : random.pick(protocolsOf(right));
  const isJson = random.oneIn(2);
  const hasKey = !random.oneIn(4);
  const { body, headers: encoding } = makeBody(random, right, { protocol, isJson });
  const key: readonly Header[] = hasKey
    ? [["authorization", `Bearer ${target.service.key}`]]
    : wrongKeyHeaders(random, target.service.wrongKey);
  const headers: Header[] = [
    ["content-type", contentType(random, protocol, isJson)],
    ...key,
    ...encoding,
    ...options(random),
  ];
  if (random.oneIn(6)) headers.push(...oddHeaders(random));
  const path = random.oneIn(40)
    ? `${right.path}${random.pick(["x", "/", "?a=b", "/../ListModels", "%00"])}`
    : right.path;
  const request = { method: random.oneIn(60) ? "GET" : "POST", path, headers, body };
  return protocol === "grpc" && !random.oneIn(12)
    ? overHttp2(request, transport.session, target)
    : overHttp1(request, { connection: transport.connection, protocol, target });
}

function protocolsOf({ isStream }: RightCall): readonly Protocol[] {
  return isStream ? ["connect-stream", "grpc-web", "grpc"] : ["connect", "connect", "grpc-web", "grpc"];
}

interface Form {
  readonly protocol: Protocol;
  readonly isJson: boolean;
}

function makeBody(random: Random, right: RightCall, { protocol, isJson }: Form): { body: Buffer; headers: Header[] } {
  const framed = protocol !== "connect";
  if (random.oneIn(500)) {
    const { encoding, bytes } = bomb(random);
    const name = framed
      ? protocol === "connect-stream"
        ? "connect-content-encoding"
        : "grpc-encoding"
      : "content-encoding";
    return { body: framed ? frame(bytes, 1) : bytes, headers: [[name, encoding]] };
  }
  const message = makeMessage(random, right, isJson);
  return { body: framed ? hostileFrames(random, message) : message, headers: [] };
}

function makeMessage(random: Random, right: RightCall, isJson: boolean): Buffer {
  if (isJson) {
    const text = Buffer.from(toJsonText(mutate(random, right.json)));
    return random.oneIn(6) ? damage(random, text) : text;
  }
  // Three million tiny things are under the limit of a body.
  if (random.oneIn(400)) return manyOfOne(random, random.pick([10_000, 100_000, 300_000, 3_000_000]));
  return mutateProto(random, right.bytes);
}

function contentType(random: Random, protocol: Protocol, isJson: boolean): string {
  if (random.oneIn(30))
    return random.pick([
      "application/grpc",
      "application/grpc-web-text",
      "application/connect+xml",
      "application/x",
      "",
      "text/plain",
      "application/proto; charset=x",
    ]);
  const codec = isJson ? "json" : "proto";
  const prefix = {
    connect: "application/",
    "connect-stream": "application/connect+",
    "grpc-web": "application/grpc-web+",
    grpc: "application/grpc+",
  };
  return `${prefix[protocol]}${codec}`;
}

const TIMES = [
  "0",
  "1",
  "-1",
  "99999999999999",
  "x",
  "",
  "1.5",
  "1n",
  "1u",
  "1m",
  "1S",
  "1H",
  "99999999H",
  "100000000S",
  "1x",
  "0S",
];
const ENCODINGS = ["gzip", "br", "identity", "deflate", "x", "", "gzip, br"];

function options(random: Random): Header[] {
  const headers: Header[] = [];
  if (random.oneIn(2)) headers.push(["connect-protocol-version", random.oneIn(8) ? random.pick(["2", "", "x"]) : "1"]);
  if (random.oneIn(12)) headers.push([random.pick(["connect-timeout-ms", "grpc-timeout"]), random.pick(TIMES)]);
  if (random.oneIn(16))
    headers.push([
      random.pick(["content-encoding", "grpc-encoding", "connect-content-encoding"]),
      random.pick(ENCODINGS),
    ]);
  if (random.oneIn(8))
    headers.push([
      random.pick(["accept-encoding", "grpc-accept-encoding", "connect-accept-encoding"]),
      random.pick(ENCODINGS),
    ]);
  return headers;
}

function overHttp1(
  request: Request,
  { connection, protocol, target }: { connection: Connection; protocol: Protocol; target: Target },
): Input {
  return {
    what: () => `${protocol} ${describeRequest(request)}`,
    send: async () => judge(await connection.send(writeRequest(request), request.method), target.service.secrets),
  };
}

function judge(exchange: Exchange, secrets: readonly string[]): Problem[] {
  if (exchange.kind === "hang") return [problem("hang", `no whole answer in time; ${exchange.received} bytes came`)];
  if (exchange.kind === "closed") return [problem("no answer", "the connection ended without an answer")];
  if (exchange.kind === "garbage") return [problem("envelope", exchange.problem)];
  const { answer } = exchange;
  const type = answer.headers["content-type"] ?? "";
  const problems = findSecrets(answer.body, secrets);
  if (!answer.whole) problems.push(problem("cut stream", "the body ends before its length"));
  // What came is told by its own type: a call in a wrong form is refused in another one, or by the facade.
  if (answer.status === 200 && /^application\/(connect|grpc-web)/.test(type))
    return [...problems, ...judgeFramed(answer)];
  if (/^application\/grpc/.test(type))
    return [...problems, ...judgeGrpc({ ...answer.headers, ":status": String(answer.status) }, answer.trailers)];
  return [...problems, ...judgeUnary(answer)];
}

function overHttp2(request: Request, session: H2Session, { service }: Target): Input {
  const { body = Buffer.alloc(0), path } = request;
  const headers = Object.fromEntries(request.headers.filter(([name]) => isAllowed(name)));
  return {
    what: () => `gRPC over HTTP/2 ${describeRequest(request)}`,
    async send() {
      const call = () => session.call({ ...headers, ":path": path, te: "trailers" }, body, ANSWER_MS);
      let answer = await call();
      // A stream that was not heard, since its session was ending, is to be sent again (RFC 9113, section 8.7).
      if (answer?.reset === REFUSED_STREAM) answer = await call();
      // A list of headers that is too long ends its stream (ENHANCE_YOUR_CALM), and no request was heard.
      if (answer?.reset === ENHANCE_YOUR_CALM && headBytes(request) > HTTP2_HEAD_BYTES) return [];
      return answer === undefined ? [problem("hang", "no whole answer in time")] : judgeStream(answer, service.secrets);
    },
  };
}

function judgeStream(answer: H2Answer, secrets: readonly string[]): Problem[] {
  const problems = findSecrets(answer.body, secrets);
  if (answer.headers[":status"] === undefined)
    return [...problems, problem("no answer", `the stream was reset (${answer.reset})`)];
  if (/^application\/grpc/.test(answer.headers["content-type"] ?? "")) {
    return [...problems, ...judgeGrpc(answer.headers, answer.trailers)];
  }
  const { headers, body } = answer;
  return [...problems, ...judgeUnary({ status: Number(headers[":status"]), headers, body })];
}

/** What the service takes of a head over HTTP/2 counts 32 bytes for each header beside its text. */
const HTTP2_HEAD_BYTES = 15_000;
const ENHANCE_YOUR_CALM = 11;
const REFUSED_STREAM = 7;

function headBytes({ path, headers }: Request): number {
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length + 32, path.length);
}

/** Node's client refuses to send what HTTP/2 has no place for; such headers go over handmade frames. */
function isAllowed(name: string): boolean {
  return !["connection", "te", "upgrade", "proxy-connection", "transfer-encoding", "host", "keep-alive"].includes(name);
}
