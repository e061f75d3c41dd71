import { describe, expect, it } from "vitest";
import { FORMATS } from "../../support/sdk-calls.ts";
import { MODEL, sendFeedback, UUID } from "../../support/sdk-fixture.ts";
import { UPSTREAM_KINDS } from "../../support/upstream-frames.ts";
import { SANDBOX, useHardCases } from "./hard-case.ts";

const cases = useHardCases();

interface Event {
  readonly id?: string;
  readonly response?: { readonly id: string };
  readonly message?: { readonly id: string };
}

describe.each(FORMATS)("ids in %s", (format) => {
  it.each([SANDBOX, ...Object.values(MODEL)])("case 36: are UUIDs that feedback takes, of %s", async (model) => {
    const script = () => {
      const kind = UPSTREAM_KINDS.find((name) => MODEL[name] === model);
      if (kind !== undefined) cases().script(kind, "text");
    };
    script();
    const { id } = (await cases().post(format, { model })).json() as { id: string };
    expect(id).toMatch(UUID);
    expect(await sendFeedback(cases().service, id)).toBeNull();
    script();
    const { text } = await cases().post(format, { model, stream: true });
    const [first = "", ...rest] = text.split("\n").filter((line) => line.startsWith("data: {"));
    const event = JSON.parse(first.slice(6)) as Event;
    expect(event.id).toMatch(UUID);
    expect(await sendFeedback(cases().service, event.id ?? "")).toBeNull();
    const ids = rest.map((line) => JSON.parse(line.slice(6)) as Event);
    if (format === "chat") expect(ids.every((chunk) => chunk.id === event.id)).toBe(true);
    if (format === "responses") {
      const nested = ids.flatMap(({ response }) => (response === undefined ? [] : [response.id]));
      expect(new Set([event.response?.id, ...nested])).toEqual(new Set([event.id]));
    }
    if (format === "messages") expect(event.message?.id).toBe(event.id);
  });

  it("case 36: are in the header of an error, which has no other", async () => {
    const { headers, text } = await cases().post(format, { model: 5 });
    expect(headers.get("x-request-id")).toMatch(UUID);
    expect(headers.get("request-id")).toBe(headers.get("x-request-id"));
    if (format === "messages") expect(text).toContain(`"request_id":"${headers.get("request-id")}"`);
  });
});

describe("a thousand requests at once", () => {
  it("case 36: have ids that are unique, all of which feedback takes", async () => {
    cases().script("chat", "text");
    const answers = await Promise.all(
      Array.from({ length: 1000 }, (_none, index) => {
        const format = FORMATS[index % 3] ?? "chat";
        return cases().post(format, { model: index % 2 === 0 ? SANDBOX : MODEL.chat, stream: index % 4 > 1 });
      }),
    );
    const ids = answers.map(({ text }) => /"id":"([0-9a-f-]{36})"/.exec(text)?.[1] ?? "");
    expect(new Set(ids).size).toBe(1000);
    for (const id of ids) expect(id).toMatch(UUID);
    const { url, headers } = cases().service;
    const body = JSON.stringify(ids.map((id) => ({ id, feedback: { helpful: true } })));
    const response = await fetch(`${url}/v1/feedback`, { method: "POST", headers, body });
    const results = (await response.json()) as { error: unknown }[];
    expect(results).toHaveLength(1000);
    expect(results.filter(({ error }) => error !== null)).toEqual([]);
  });
});

describe("the listing of models", () => {
  it("case 40: is taken by both official clients, page by page", async () => {
    const openai = await Array.fromAsync(cases().openai().models.list());
    const anthropic = await Array.fromAsync(cases().anthropic().models.list({ limit: 1 }));
    const names = [...Object.values(MODEL), SANDBOX];
    expect(openai.map(({ id }) => id)).toEqual(expect.arrayContaining(names));
    expect(anthropic.map(({ id }) => id)).toEqual(openai.map(({ id }) => id));
    expect(openai[0]).toMatchObject({ object: "model", created: expect.any(Number), owned_by: expect.any(String) });
    expect(anthropic[0]).toMatchObject({ type: "model", display_name: expect.any(String), max_tokens: 64000 });
    const last = openai.at(-1)?.id ?? "";
    const before = await cases().anthropic().models.list({ before_id: last, limit: 2 });
    expect(before.data.map(({ id }) => id)).toEqual(openai.slice(-3, -1).map(({ id }) => id));
  });

  it.each(["/", "%2F"])("case 40: has a page for a model whose id holds a slash, written as %s", async (slash) => {
    const { url, headers } = cases().service;
    const response = await fetch(`${url}/v1/models/attune${slash}sandy`, { headers });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id: SANDBOX, object: "model", type: "model" });
  });

  it("case 40: has one model for each official client, and 404 for none", async () => {
    expect((await cases().openai().models.retrieve(SANDBOX)).id).toBe(SANDBOX);
    expect((await cases().anthropic().models.retrieve(SANDBOX)).id).toBe(SANDBOX);
    await expect(cases().anthropic().models.retrieve("attune/none")).rejects.toMatchObject({ status: 404 });
    await expect(cases().openai().models.retrieve("attune/none")).rejects.toMatchObject({ status: 404 });
  });
});
