import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { answerChecked, modelAt, upstreamsAt } from "../support/checked-models.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

/**
 * One key had 32 bodies of 24 MiB held while their answers were waited for, and as many as it liked that were a few
 * bytes before they were decompressed: bodies counted only while they came.
 */
const LIMITS = "{ bodyBytes: 100000, receivingBytes: 1048576 }";
const CHAT = "/v1/chat/completions";
const RPC = "/attune.inference.v1.InferenceService/Generate";
/** It cannot be kept in fewer bytes than three quarters. */
const LARGE = randomBytes(60_000).toString("base64");

let upstream: ScriptedUpstream;
let service: TestService;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  const yaml = `server: { limits: ${LIMITS} }\nupstreams: ${upstreamsAt(upstream.url)}\nmodels: ${modelAt(["chat"], { name: "m", candidates: 1 })}\n`;
  service = await startTestService({ yaml });
});

afterAll(async () => {
  await service.close();
  await upstream.close();
});

const inChat = (content: string): string =>
  JSON.stringify({ model: "attune/m", messages: [{ role: "user", content }] });
const inRpc = (text: string): string =>
  JSON.stringify({ input: { model: "attune/m", messages: [{ role: "ROLE_USER", content: [{ text: { text } }] }] } });

function send(path: string, body: string, key: string): Promise<Response> {
  const isCompressed = path === RPC;
  const encoding = isCompressed ? { "content-encoding": "gzip" } : {};
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", ...encoding };
  return fetch(service.url + path, { method: "POST", headers, body: isCompressed ? gzipSync(body) : body });
}

describe("the bytes of a body", () => {
  it.each([
    ["over HTTP", CHAT, inChat],
    ["over Connect, as they are decompressed", RPC, inRpc],
  ])("count until its request is answered: %s", async (_how, path, write) => {
    const { key } = await createKey(service.store, { name: path });
    const answered = Promise.withResolvers<void>();
    const before = upstream.received.length;
    upstream.answerBy((at, body) => {
      const answer = answerChecked(at, body, () => "text");
      return body.includes(LARGE) ? { ...answer, steps: [{ until: answered.promise }, ...answer.steps] } : answer;
    });
    const first = send(path, write(LARGE), key);
    await expect.poll(() => upstream.received.length).toBe(before + 1);
    expect((await send(path, write(LARGE), key)).status).toBe(429);
    expect((await send(path, write("x"), key)).status).toBe(200);
    answered.resolve();
    expect((await first).status).toBe(200);
    await waitFor(async () => expect((await send(path, write(LARGE), key)).status).toBe(200));
  });
});
