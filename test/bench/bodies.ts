/**
 * `npm run bench:bodies`: how long the main thread takes to check and parse the body of a request, to encode it for its
 * record, and to translate and write it for an upstream of its format. Before 2026-11-25 that made text, whose bytes
 * are not counted. What is told is the tenth of the rounds that was quickest, so that other processes of the machine
 * are left out.
 */

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseBody } from "../../src/facade/parse-body.ts";
import type { openaiChatProtocol } from "../../src/formats/chat/protocol.ts";
import { decodeRequest } from "../../src/formats/chat/request/decode-request.ts";
import type { JsonObject } from "../../src/formats/shared/json.ts";
import type { HubInput } from "../../src/hub/input.ts";
import type { encodeRequest } from "../../src/hub/request-bytes.ts";
import type { createHttpUpstream } from "../../src/upstream/http-upstream.ts";
import { quantile } from "../support/quantile.ts";
import { readOptions } from "../support/read-options.ts";
import { stubModel } from "../support/stub-upstream.ts";
import { SHAPES } from "./shapes.ts";

const USAGE = `usage: npm run bench:bodies -- [--against FOLDER]

  --against FOLDER  a checkout of another commit with its packages installed, measured in the same rounds`;
const options = readOptions(USAGE, { against: { type: "string" } });

const LIMITS = { jsonDepth: 64, jsonValues: 100_000 };
const ROUNDS = 2000;
/** Calls of a round; it is over before the thread is interrupted, most of the time. */
const CALLS = 4;

/** Where requests are encoded for their record, and where an older checkout does it. */
const ENCODERS = ["src/hub/request-bytes.ts", "src/store/types/inference-body.ts"];
const PROTOCOL = "src/formats/chat/protocol.ts";

/** What is measured of a checkout. */
interface Measured {
  readonly name: string;
  readonly parse: typeof parseBody;
  readonly encode: typeof encodeRequest;
  readonly prepare: ReturnType<typeof createHttpUpstream>["prepare"];
}

const UPSTREAM = {
  name: "u",
  baseUrl: "http://127.0.0.1:1/v1",
  timeouts: { connectMs: 1000, firstByteMs: 1000, idleMs: 1000, totalMs: 1000 },
  limits: { eventBytes: 1e6, eventValues: 1e5, answerBytes: 1e6 },
};
const TARGET = {
  model: stubModel,
  deployment: { upstream: "u", model: "m" },
  streamed: false,
  inferenceId: "i",
  projectId: "p",
};

async function measuredOf(name: string, folder: string): Promise<Measured> {
  const load = (path: string): Promise<unknown> => import(pathToFileURL(join(resolve(folder), path)).href);
  const { parseBody: parse } = (await load("src/facade/parse-body.ts")) as { parseBody: Measured["parse"] };
  const encoder = ENCODERS.find((path) => existsSync(join(folder, path))) ?? "";
  const { encodeRequest: encode } = (await load(encoder)) as { encodeRequest: Measured["encode"] };
  const { createHttpUpstream: create } = (await load("src/upstream/http-upstream.ts")) as {
    createHttpUpstream: typeof createHttpUpstream;
  };
  const { openaiChatProtocol: protocol } = (await load(PROTOCOL)) as { openaiChatProtocol: typeof openaiChatProtocol };
  const { prepare } = create(protocol, UPSTREAM);
  return { name, parse, encode, prepare };
}

const checkouts = [await measuredOf("attune", join(import.meta.dirname, "../.."))];
if (options.against !== undefined) checkouts.push(await measuredOf("the other checkout", options.against));

async function microsOf(call: () => unknown): Promise<number> {
  const begin = performance.now();
  for (let calls = 0; calls < CALLS; calls++) await call();
  return ((performance.now() - begin) * 1000) / CALLS;
}

function quickTenth(micros: readonly number[]): number {
  return Number(quantile(micros, 0.1).toFixed(1));
}

/** Measures one kind of call of all checkouts in turns; returns columns of a table. */
async function measure(kind: string, callOf: (checkout: Measured) => unknown) {
  const micros = checkouts.map((): number[] => []);
  for (let round = 0; round < 2 * ROUNDS; round++) {
    for (const [at, checkout] of checkouts.entries()) {
      const took = await microsOf(() => callOf(checkout));
      // The first half warms up.
      if (round >= ROUNDS) micros[at]?.push(took);
    }
  }
  return Object.fromEntries(checkouts.map(({ name }, at) => [`${name}: ${kind}, us`, quickTenth(micros[at] ?? [])]));
}

const rows = [];
// The others have a body of these with other settings.
const DISTINCT = ["unary", "prompt of 32 KB", "agent's prompt of 32 KB"];
for (const { name: shape, path, body: text } of SHAPES.filter(({ name }) => DISTINCT.includes(name))) {
  const body = Buffer.from(text);
  const input = await inputOf(path, body);
  const parsed = await measure("parse", ({ parse }) => parse(body, LIMITS));
  const encoded = input && (await measure("encode", ({ encode }) => encode(input)));
  const prepared = input && (await measure("prepare", ({ prepare }) => prepare(input, TARGET)));
  rows.push({ shape, bytes: body.length, ...parsed, ...encoded, ...prepared });
}
console.table(rows);
console.log(JSON.stringify(rows));

/** One format is enough: the record has none. */
async function inputOf(path: string, body: Buffer): Promise<HubInput | undefined> {
  if (path !== "/v1/chat/completions") return undefined;
  return decodeRequest((await parseBody(body, LIMITS)) as JsonObject).input;
}
