import { describe, expect, it } from "vitest";
import { CacheTtl, Dialect, Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { encodeRequest as encodeChat } from "../../../src/formats/chat/request/encode-request.ts";
import { encodeRequest as encodeResponses } from "../../../src/formats/responses/request/encode-request.ts";
import { isJsonObject, parseJsonObject } from "../../../src/formats/shared/json.ts";
import { createHubInput, type HubInit } from "../../../src/hub/input.ts";
import { stubModel } from "../../support/stub-upstream.ts";
import { asSent } from "./as-sent.ts";

type Block = NonNullable<NonNullable<HubInit["messages"]>[number]["content"]>[number];

const { CACHE_TTL_UNSPECIFIED, CACHE_TTL_5M, CACHE_TTL_1H, CACHE_TTL_30M, CACHE_TTL_12H } = CacheTtl;
const target = {
  model: stubModel,
  deployment: { upstream: "u", model: "m" },
  streamed: true,
  inferenceId: "0190-id",
  projectId: "p",
};
const FORMATS = { chat: encodeChat, responses: encodeResponses };
type Format = keyof typeof FORMATS;

function send(format: Format, input: HubInit, cacheBreakpoints = true) {
  const message = createHubInput({ model: "attune/m", ...input });
  const { body, losses } = asSent(FORMATS[format](message, { ...target, profile: { cacheBreakpoints } }));
  return { body: parseJsonObject(body) ?? {}, losses };
}

const text = (value: string, ttl?: CacheTtl): Block => ({
  kind: { case: "text", value: { text: value } },
  ...(ttl === undefined ? {} : { cacheMark: { ttl } }),
});
const image: Block = { kind: { case: "image", value: { source: { case: "url", value: "https://a/b.png" } } } };
const user = (...content: Block[]) => [{ role: Role.USER, content }];
const MARK = { mode: "explicit" };

/** The breakpoint of the one part of the one message. */
function breakpointOf(format: Format, ttl: CacheTtl) {
  const { body, losses } = send(format, { messages: user(text("a", ttl)) });
  const list = body[format === "chat" ? "messages" : "input"];
  const message: unknown = Array.isArray(list) ? list[0] : undefined;
  const content = isJsonObject(message) ? message["content"] : undefined;
  const part: unknown = Array.isArray(content) ? content[0] : undefined;
  return { breakpoint: isJsonObject(part) ? part["prompt_cache_breakpoint"] : undefined, losses };
}

describe.each<Format>(["chat", "responses"])("cache marks for an upstream of the %s format", (format) => {
  const place = "messages[0].content[0].cache_mark";

  it.each([
    [CACHE_TTL_UNSPECIFIED, MARK, []],
    [CACHE_TTL_5M, MARK, []],
    [CACHE_TTL_1H, { ...MARK, ttl: "30m" }, [`${place}.ttl`]],
    [CACHE_TTL_30M, { ...MARK, ttl: "30m" }, []],
    [CACHE_TTL_12H, { ...MARK, ttl: "12h" }, []],
  ])("get the longest lifetime that is not longer than asked: %i", (ttl, breakpoint, losses) => {
    expect(breakpointOf(format, ttl)).toEqual({ breakpoint, losses });
  });

  it.each([
    [CACHE_TTL_5M, { mode: "implicit" }, []],
    [CACHE_TTL_1H, { mode: "implicit", ttl: "30m" }, ["automatic_cache_mark.ttl"]],
    [
      CACHE_TTL_12H,
      { mode: "implicit", ttl: format === "chat" ? "30m" : "12h" },
      format === "chat" ? ["automatic_cache_mark.ttl"] : [],
    ],
  ])("are automatic where the request is marked as a whole: %i", (ttl, options, losses) => {
    const sent = send(format, { messages: user(text("a")), automaticCacheMark: { ttl } });
    expect([sent.body["prompt_cache_options"], sent.losses]).toEqual([options, losses]);
  });

  it("say nothing where all of them are lost", () => {
    const tools = [{ kind: { case: "function", value: { name: "f" } }, cacheMark: {} } as const];
    const { body, losses } = send(format, { messages: user(text("a")), tools });
    expect([body["prompt_cache_options"], losses]).toEqual([undefined, ["tools[0].cache_mark"]]);
  });

  it("are losses where the upstream is not known to take them", () => {
    const { body, losses } = send(
      format,
      {
        dialect: Dialect.MESSAGES,
        system: [text("s", CACHE_TTL_5M)],
        messages: user(text("a", CACHE_TTL_1H)),
        automaticCacheMark: {},
      },
      false,
    );
    expect(JSON.stringify(body)).not.toContain("prompt_cache");
    expect(new Set(losses)).toEqual(
      new Set(["system[0].cache_mark", "messages[0].content[0].cache_mark", "automatic_cache_mark"]),
    );
  });
});

describe("the mark of a tool result", () => {
  const result = (...content: Block[]) => ({
    dialect: Dialect.MESSAGES,
    messages: user({ kind: { case: "toolResult", value: { toolUseId: "c", content } }, cacheMark: {} }),
  });

  it("stands behind the image that Chat cannot have in a result", () => {
    expect(send("chat", result(text("See:"), image)).body["messages"]).toEqual([
      { role: "tool", tool_call_id: "c", content: "See:" },
      {
        role: "user",
        content: [
          { type: "text", text: "Attachments of call c:" },
          { type: "image_url", image_url: { url: "https://a/b.png" }, prompt_cache_breakpoint: MARK },
        ],
      },
    ]);
  });

  it.each<Format>(["chat", "responses"])("is a loss where the result says nothing: %s", (format) => {
    expect(send(format, result()).losses).toEqual(["messages[0].content[0].cache_mark"]);
  });
});
