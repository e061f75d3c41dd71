import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isUuid } from "../../src/lib/ids.ts";
import { readWhenWritten } from "../support/read-when-written.ts";
import { startTestService, type TestService } from "../support/service.ts";

const MODELS = ["texter", "embedder"];

const yaml = JSON.stringify({
  models: MODELS.map((name) => ({
    name,
    family: "chat",
    embeddings: name === "embedder",
    contextWindow: 8192,
    maxOutputTokens: 1024,
    deployments: [{ upstream: "sandbox", model: "sandbox" }],
  })),
});

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ yaml });
});

afterAll(() => service.close());

const messages = [{ role: "user", content: "Hello" }];

/** The routes that make an inference, with a request of each. */
const ROUTES: readonly (readonly [what: string, path: string, body: Readonly<Record<string, unknown>>])[] = [
  ["Chat", "/v1/chat/completions", { messages }],
  ["a stream of Chat", "/v1/chat/completions", { messages, stream: true }],
  ["Responses", "/v1/responses", { input: "Hello" }],
  ["a stream of Responses", "/v1/responses", { input: "Hello", stream: true }],
  ["Messages", "/v1/messages", { messages, max_tokens: 64 }],
  ["a stream of Messages", "/v1/messages", { messages, max_tokens: 64, stream: true }],
  ["compaction", "/v1/responses/compact", { input: "Hello" }],
  ["embeddings", "/v1/embeddings", { model: "embedder", input: "Hello" }],
];

function ask(path: string, body?: object): Promise<Response> {
  const headers = { ...service.headers, "content-type": "application/json" };
  return fetch(service.url + path, body === undefined ? { headers } : { method: "POST", headers, body: json(body) });
}

const json = (body: object) => JSON.stringify({ model: "texter", ...body });
const idOf = (answer: Response) => answer.headers.get("attune-inference-id");

/** Status of the inference that a header names. */
async function recorded(id: string | null): Promise<string | undefined> {
  expect(isUuid(id ?? "")).toBe(true);
  return (await readWhenWritten(service.store, id ?? "")).row.status;
}

describe("the header attune-inference-id", () => {
  it.each(ROUTES)("has the id of the record on an answer of %s", async (_what, path, body) => {
    const answer = await ask(path, body);
    const text = await answer.text();
    expect(answer.status, text).toBe(200);
    expect(await recorded(idOf(answer))).toBe("completed");
    // Embeddings have no id in their body.
    if (path !== "/v1/embeddings") expect(text).toContain(idOf(answer));
  });

  it.each(ROUTES)("has the id of the record on an error of %s", async (_what, path, body) => {
    const model = `${body["model"] ?? "texter"}:sandbox-error=400`;
    const answer = await ask(path, { ...body, model });
    expect(answer.status, await answer.text()).toBe(400);
    expect(await recorded(idOf(answer))).toBe("failed");
  });

  it("has the id of the Response that is read, or canceled", async () => {
    const { id } = (await (await ask("/v1/responses", { input: "Hello", background: true })).json()) as { id: string };
    const canceled = await ask(`/v1/responses/${id}/cancel`, {});
    expect([canceled.status, idOf(canceled)]).toEqual([200, id]);
    const read = await ask(`/v1/responses/${id}`);
    expect([read.status, idOf(read)]).toEqual([200, id]);
  });

  it.each([
    ["/v1/responses/input_tokens", { input: "Hello" }],
    ["/v1/messages/count_tokens", { messages }],
  ])("is absent at %s, which makes no inference", async (path, body) => {
    const answer = await ask(path, body);
    expect([answer.status, idOf(answer)]).toEqual([200, null]);
  });
});
