import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;

beforeAll(async () => {
  const limits = "{ bodyBytes: 4096, jsonDepth: 16, jsonMembers: 100, messages: 2, tools: 1 }";
  service = await startTestService({ yaml: `server: { limits: ${limits} }\n` });
});

afterAll(() => service.close());

const model = "attune/claude-haiku-5-5";
const message = { role: "user", content: "x" };
const nested = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);

/** Requests of each format: how to make one, and the envelope of what is wrong with it. */
const FORMATS = [
  {
    path: "/v1/chat/completions",
    list: "messages",
    tool: (name: string) => ({ type: "function", function: { name } }),
    envelope: (text: string, param: string | null) => ({
      error: { type: "invalid_request_error", message: text, param },
    }),
  },
  {
    path: "/v1/responses",
    list: "input",
    tool: (name: string) => ({ type: "function", name }),
    envelope: (text: string, param: string | null) => ({
      error: { type: "invalid_request_error", message: text, param },
    }),
  },
  {
    path: "/v1/messages",
    list: "messages",
    tool: (name: string) => ({ name, input_schema: { type: "object" } }),
    envelope: (text: string) => ({ type: "error", error: { message: text } }),
  },
] as const;

describe.each(FORMATS)("the limits of $path", ({ path, list, tool, envelope }) => {
  const post = async (members: object) => {
    const body = JSON.stringify({ model, max_tokens: 5, [list]: [message], ...members });
    const response = await fetch(service.url + path, { method: "POST", headers: service.headers, body });
    return { status: response.status, body: await response.json() };
  };

  it("allow what is within them", async () => {
    const members = { [list]: [message, message], tools: [tool("f")], vendor: nested(15) };
    expect((await post(members)).status).toBe(200);
  });

  it.each<[string, number, object, string, string | null]>([
    [
      "bytes",
      413,
      { vendor: "x".repeat(4096) },
      "the request's body is larger than the 4096 bytes that this service accepts",
      null,
    ],
    ["levels", 400, { vendor: nested(16) }, "the body is nested deeper than 16 levels", null],
    [
      "members of one object",
      400,
      { vendor: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`m${at}`, 1])) },
      "the body holds an object of more than the 100 members that this service accepts in one",
      null,
    ],
    [
      "messages",
      400,
      { [list]: [message, message, message] },
      `${list}: has 3 entries, and this service accepts at most 2`,
      list,
    ],
    [
      "tools",
      400,
      { tools: [tool("f"), tool("g")] },
      "tools: has 2 entries, and this service accepts at most 1",
      "tools",
    ],
  ])("refuse too many %s", async (_what, status, members, text, param) => {
    const answer = await post(members);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject(envelope(text, param));
  });
});
