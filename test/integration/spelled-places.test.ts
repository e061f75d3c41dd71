import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Dialect, Role } from "../../gen/attune/content/v1/content_pb.ts";
import { ErrorDetailSchema } from "../../gen/attune/error/v1/error_pb.ts";
import { InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { readWhenWritten } from "../support/read-when-written.ts";
import { PATH } from "../support/sdk-calls.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.close());

const model = "attune/claude-haiku-5-5";
const odd = { type: "hologram" };
/** What the hub calls the losses of the requests below. */
const HUB = ["messages[1].extension.x_turn", "messages[1].content[0].content[1]", "extension.x_top"];

/** The same request in each format, and its losses as the caller spells them. */
const FORMATS = [
  {
    format: "chat",
    body: {
      messages: [
        { role: "assistant", tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }] },
        { role: "tool", tool_call_id: "c", content: [{ type: "text", text: "a" }, odd], x_turn: 1 },
      ],
    },
    losses: ["messages[1].x_turn", "messages[1].content[1]", "x_top"],
  },
  {
    format: "responses",
    body: {
      input: [
        { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
        { type: "function_call_output", call_id: "c", output: [{ type: "input_text", text: "a" }, odd], x_turn: 1 },
      ],
    },
    losses: ["input[1].x_turn", "input[1].output[1]", "x_top"],
  },
  {
    format: "messages",
    body: {
      max_tokens: 64,
      messages: [
        { role: "user", content: "a" },
        { role: "assistant", content: [{ type: "tool_use", id: "c", name: "f", input: {} }], x_turn: 1 },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "c", content: [{ type: "text", text: "a" }, odd] }],
        },
      ],
    },
    losses: ["messages[1].x_turn", "messages[2].content[0].content[1]", "x_top"],
    hub: ["messages[1].extension.x_turn", "messages[2].content[0].content[1]", "extension.x_top"],
  },
] as const;

describe.each(FORMATS)("a loss of a request of $format", ({ format, body, losses, ...rest }) => {
  const hub = "hub" in rest ? rest.hub : HUB;
  const post = (more: object, headers: object = {}) =>
    fetch(service.url + PATH[format], {
      method: "POST",
      headers: { ...service.headers, ...headers },
      body: JSON.stringify({ model, ...body, x_top: 1, ...more }),
    });

  it.each([false, true])("is told in the caller's names and recorded in the hub's, streamed: %s", async (stream) => {
    const response = await post({ stream });
    expect(response.headers.get("attune-translation-loss")).toBe(losses.join(", "));
    const id = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/.exec(await response.text())?.[0] ?? "";
    const { row } = await readWhenWritten(service.store, id);
    expect(row.translationLosses).toEqual(hub);
  });

  it.each([false, true])("refuses a strict request in the caller's names, streamed: %s", async (stream) => {
    const response = await post({ stream }, { "attune-strict": "true" });
    const { error } = (await response.json()) as { error: { message: string; param?: string } };
    expect(response.status).toBe(400);
    expect(error.message).toBe(
      `the upstream's format cannot carry: ${losses.join(", ")}. Leave these out, or allow the loss by not asking for strict mode`,
    );
    if (format !== "messages") expect(error.param).toBe(losses[0]);
  });
});

describe("a loss of an RPC", () => {
  const rpc = () =>
    createClient(InferenceService, createConnectTransport({ baseUrl: service.url, httpVersion: "1.1" }));
  const input = {
    model,
    messages: [{ role: Role.USER, content: [{ kind: { case: "text" as const, value: { text: "a" } } }] }],
    extension: { dialect: Dialect.CHAT, json: JSON.stringify({ logit_bias: { 1: 2 } }) },
  };

  it("is told in the hub's names, also where it refuses", async () => {
    const call = { headers: { authorization: `Bearer ${service.key}` } };
    const { serving } = await rpc().generate({ input }, call);
    expect(serving?.translationLosses).toEqual(["extension.logit_bias"]);
    const refused = rpc().generate({ input: { ...input, strict: true } }, call);
    const detail = await refused.then(
      () => undefined,
      (thrown) => thrown.findDetails(ErrorDetailSchema)[0],
    );
    expect(detail).toMatchObject({ param: "extension.logit_bias", refusedLosses: ["extension.logit_bias"] });
  });
});
