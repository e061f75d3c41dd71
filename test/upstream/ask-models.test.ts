import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HttpUpstreamConfig } from "../../src/config/config.ts";
import { askModels } from "../../src/upstream/ask-models.ts";
import { type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";

let scripted: ScriptedUpstream;

beforeEach(async () => {
  scripted = await startScriptedUpstream();
});

afterEach(() => scripted.close());

function upstream(kind: HttpUpstreamConfig["kind"], baseUrl = scripted.url): HttpUpstreamConfig {
  // Nothing else of it is looked at.
  return { kind, baseUrl, apiKey: "sk-upstream", headers: { "x-team": "a" } } as unknown as HttpUpstreamConfig;
}

const LIST = JSON.stringify({ object: "list", data: [{ id: "one", object: "model" }, { id: "two" }, null] });

describe("askModels()", () => {
  it.each([
    ["openai-chat", "/models", { authorization: "Bearer sk-upstream" }],
    ["openai-responses", "/models", { authorization: "Bearer sk-upstream" }],
    ["anthropic-messages", "/v1/models", { "x-api-key": "sk-upstream" }],
  ] as const)("asks an upstream of kind %s with its key and headers", async (kind, path, key) => {
    scripted.answer(wholeAnswer(LIST));
    const { kind: found, ...answer } = await askModels(upstream(kind), ["one", "two"]);
    expect([found, answer]).toEqual(["listed", { unknown: [], atMs: expect.any(Number) }]);
    expect(scripted.received.map((request) => request.path)).toEqual([path]);
    expect(scripted.received[0]?.headers).toMatchObject({ ...key, "x-team": "a" });
  });

  it("asks by name for a model that the list lacks", async () => {
    scripted.answerBy((path) =>
      path === "/models" ? wholeAnswer(LIST) : { status: path === "/models/alias" ? 200 : 404, steps: ["{}"] },
    );
    expect(await askModels(upstream("openai-chat"), ["one", "alias", "a/b"])).toMatchObject({ unknown: ["a/b"] });
    expect(scripted.received.map(({ path }) => path)).toEqual(["/models", "/models/alias", "/models/a%2Fb"]);
  });

  it.each([401, 403])("tells that the key is refused with %i", async (status) => {
    scripted.answer({ status, steps: ["{}"] });
    expect(await askModels(upstream("openai-chat"), [])).toEqual({ kind: "refused", status });
  });

  it.each([
    [404, "{}"],
    [200, "<html>"],
    [200, "{}"],
  ])("tells that there is no list in %i %s", async (status, body) => {
    scripted.answer({ status, steps: [body] });
    const url = `${scripted.url}/models`;
    expect(await askModels(upstream("openai-chat"), [])).toEqual({ kind: "no list", url, status });
  });

  it("tells why an upstream cannot be reached", async () => {
    const answer = await askModels(upstream("openai-chat", "http://127.0.0.1:1/v1"), []);
    expect(answer).toEqual({ kind: "unreachable", code: "ECONNREFUSED" });
  });
});
