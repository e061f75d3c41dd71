import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { type Hoard, type HoardTarget, headThen, sendOverMany } from "./sender.ts";

const CONNECTIONS = 256;
const CHUNK = Buffer.alloc(64 * 1024, 0x20);
const MIB = 2 ** 20;

/** Attacks over HTTP/1.1. */
export const http1Hoards: readonly Hoard[] = [
  {
    name: `${CONNECTIONS} unfinished bodies over HTTP/1.1`,
    run: (target, signal) =>
      sendOverMany(
        CONNECTIONS,
        target,
        () => headThen(head(target, "POST /v1/responses", "content-length: 30000000"), CHUNK, 128),
        { signal, reads: true },
      ),
  },
  {
    name: "unfinished bodies of one-byte chunks over HTTP/1.1",
    run(target, signal) {
      const chunks = Buffer.from("1\r\n \r\n".repeat(10_922));
      const make = () => headThen(head(target, "POST /v1/responses", "transfer-encoding: chunked"), chunks, 64);
      return sendOverMany(CONNECTIONS, target, make, { signal, reads: true });
    },
  },
  {
    name: "unfinished gRPC-Web messages of one-byte chunks over HTTP/1.1",
    run(target, signal) {
      const chunks = Buffer.from("1\r\n \r\n".repeat(10_922));
      const start = head(target, "POST /attune.inference.v1.InferenceService/Generate", "transfer-encoding: chunked");
      return sendOverMany(CONNECTIONS, target, () => headThen(start, chunks, 64), { signal, reads: true });
    },
  },
  {
    name: "pipelined requests over HTTP/1.1 to one that does not read",
    run(target, signal) {
      const request = head(target, "GET /v1/models", "accept: */*");
      const requests = Buffer.concat(Array.from({ length: 500 }, () => request));
      return sendOverMany(CONNECTIONS, target, () => headThen(Buffer.alloc(0), requests, 100), { signal });
    },
  },
  {
    name: "pipelined requests without a key over HTTP/1.1 to one that does not read",
    run(target, signal) {
      const requests = Buffer.from("GET /v1/models HTTP/1.1\r\nhost: a\r\n\r\n".repeat(1500));
      return sendOverMany(CONNECTIONS, target, () => headThen(Buffer.alloc(0), requests, 100), { signal });
    },
  },
  echoes(true),
  echoes(false),
  {
    name: "1000 unfinished heads over HTTP/1.1",
    run: (target, signal) =>
      sendOverMany(
        1000,
        target,
        () =>
          headThen(
            Buffer.from(`POST /v1/responses HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(15_000)}\r\n`),
            CHUNK.subarray(0, 1),
            400,
          ),
        { signal, reads: true },
      ),
  },
  inFlight(CONNECTIONS, MIB),
  inFlight(32, 24 * MIB),
  inFlight(32, 24 * MIB, "random text"),
  compressedInFlight(64, 24 * MIB),
];

/** Answers that repeat a megabyte of what was asked. */
function echoes(stream: boolean): Hoard {
  return {
    name: `${stream ? "streams" : "answers"} that repeat their request over HTTP/1.1 to one that does not read`,
    run(target, signal) {
      const body = { model: "attune/sand", instructions: "y".repeat(MIB), input: "Hi", store: false, stream };
      const request = post(target, JSON.stringify(body));
      return sendOverMany(CONNECTIONS, target, () => headThen(Buffer.alloc(0), request, 4), { signal });
    },
  };
}

const SLOW_MODEL = "attune/sand:sandbox-slow-first-token=60000";

/** Whole requests, all at once, whose answers take long; random text cannot be kept in fewer bytes. */
function inFlight(count: number, bytes: number, text: "one letter" | "random text" = "one letter"): Hoard {
  const of = text === "one letter" ? "" : ` of ${text}`;
  return {
    name: `${count} requests of ${bytes / MIB} MiB${of} that are answered slowly over HTTP/1.1`,
    run(target, signal) {
      const input = text === "one letter" ? "y".repeat(bytes) : randomBytes((bytes * 3) / 4).toString("base64");
      const request = post(target, JSON.stringify({ model: SLOW_MODEL, input, store: false, stream: true }));
      return sendOverMany(count, target, () => headThen(Buffer.alloc(0), request, 1), { signal, reads: true });
    },
  };
}

/** A few bytes each that are many once they are decompressed. */
function compressedInFlight(count: number, bytes: number): Hoard {
  return {
    name: `${count} compressed messages of ${bytes / MIB} MiB that are answered slowly over Connect`,
    run(target, signal) {
      const messages = [{ role: "ROLE_USER", content: [{ text: { text: "y".repeat(bytes) } }] }];
      const body = gzipSync(JSON.stringify({ input: { model: SLOW_MODEL, messages } }));
      const members = `content-encoding: gzip\r\ncontent-length: ${body.length}`;
      const start = head(target, "POST /attune.inference.v1.InferenceService/Generate", members);
      const request = Buffer.concat([Buffer.from(String(start).replace("grpc-web+proto", "json")), body]);
      return sendOverMany(count, target, () => headThen(Buffer.alloc(0), request, 1), { signal, reads: true });
    },
  };
}

function post(target: HoardTarget, body: string): Buffer {
  return Buffer.concat([
    head(target, "POST /v1/responses", `content-length: ${Buffer.byteLength(body)}`),
    Buffer.from(body),
  ]);
}

function head({ key }: HoardTarget, request: string, more: string): Buffer {
  const type = request.includes("InferenceService") ? "application/grpc-web+proto" : "application/json";
  return Buffer.from(
    `${request} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-type: ${type}\r\n${more}\r\n\r\n`,
  );
}
