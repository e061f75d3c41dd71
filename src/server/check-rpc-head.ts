import type { DescMessage } from "@bufbuild/protobuf";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import { decompress, isEncoding } from "../lib/decompress.ts";
import { KNOWN_ENCODINGS, problemOfTimes } from "../rpc/receive-message.ts";

/** Longest time that a timer can wait, about 25 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Milliseconds of each unit of the header `grpc-timeout`. */
const UNIT_MS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 0.001, n: 0.000_001 };

/**
 * Refuses an RPC with 400 whose message in the URL cannot be unpacked, or has a day there that does not exist; and one
 * whose header `host` names no host, which Connect would answer with nothing; refuses the method QUERY as Connect
 * refuses others, before Fastify does so in its own form; and leaves out timeouts that are longer than a timer can
 * wait, which would end the call at once.
 */
export function createRpcHeadCheck(handlers: readonly UniversalHandler[]) {
  const inputs = new Map(handlers.map(({ requestPath, method }) => [requestPath, method.input]));
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const { method } = request.raw;
    if (method === "QUERY") return reply.code(405).send();
    const input = inputs.get(request.routeOptions.url ?? "");
    const message = method === "GET" ? await unpackUrl(request, input) : undefined;
    if (message !== undefined) return reply.code(400).send({ code: "invalid_argument", message });
    return checkHost(request, reply);
  };
}

/** Most bytes of a message in a URL once it is unpacked. */
const MAX_URL_MESSAGE_BYTES = 65_536;

/**
 * Puts the plain message in the place of a compressed one, as Connect's Python client sends it. Says what is wrong with
 * a message in the URL; undefined if nothing is that Connect does not tell itself.
 */
async function unpackUrl({ raw }: FastifyRequest, input: DescMessage | undefined): Promise<string | undefined> {
  const { url = "" } = raw;
  const start = url.indexOf("?") + 1;
  const query = new URLSearchParams(url.slice(start));
  const compression = query.get("compression");
  // What it costs to decode is not looked at before, and needs no limit as long as it is what a URL holds.
  if (compression === null) return findUrlMistake(query, input);
  query.delete("compression");
  if (compression !== "" && compression !== "identity") {
    if (!isEncoding(compression)) return UNKNOWN_COMPRESSION;
    if (query.get("base64") !== "1") return "a compressed message in the URL has to be in base64";
    const bytes = Buffer.from(query.get("message") ?? "", "base64url");
    const plain = await decompress(bytes, compression, { maxBytes: MAX_URL_MESSAGE_BYTES, owner: "" });
    if ("problem" in plain) {
      return plain.problem === "broken"
        ? `the message in the URL is not ${compression}`
        : `the message in the URL is larger than ${MAX_URL_MESSAGE_BYTES} bytes once it is decompressed`;
    }
    query.set("message", plain.bytes.toString("base64url"));
  }
  raw.url = url.slice(0, start) + query.toString();
  return findUrlMistake(query, input);
}

const UNKNOWN_COMPRESSION = `a message in the URL has to come with compression ${KNOWN_ENCODINGS}`;

function findUrlMistake(query: URLSearchParams, input: DescMessage | undefined): string | undefined {
  if (input === undefined || query.get("encoding") !== "json") return undefined;
  const text = query.get("message") ?? "";
  const problem = problemOfTimes(query.get("base64") === "1" ? fromBase64(text) : text, input);
  return problem === undefined ? undefined : `the message ${problem}`;
}

function fromBase64(text: string): string {
  return Buffer.from(text, "base64url").toString("utf8");
}

async function checkHost({ raw }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  const { headers } = raw;
  const authority = headers[":authority"] ?? headers.host;
  if (typeof authority !== "string" || !URL.canParse(`http://${authority}`)) {
    const message = "the header 'host' must name the host that is called";
    // In the form of each protocol: gRPC reads the headers, and Connect the body.
    return reply
      .code(400)
      .headers({ "grpc-status": "3", "grpc-message": encodeURIComponent(message) })
      .send({ code: "invalid_argument", message });
  }
  const [, count = "0", unit = "m"] = /^(\d+)([HMSmun])$/.exec(String(headers["grpc-timeout"])) ?? [];
  if (Number(count) * (UNIT_MS[unit] ?? 0) > MAX_TIMER_MS) delete headers["grpc-timeout"];
  if (Number(headers["connect-timeout-ms"]) > MAX_TIMER_MS) delete headers["connect-timeout-ms"];
  return undefined;
}
