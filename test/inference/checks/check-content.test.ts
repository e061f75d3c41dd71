import type { MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  type ContentBlockSchema,
  Dialect,
  Role,
  ToolChoiceMode,
  type ToolSchema,
} from "../../../gen/attune/content/v1/content_pb.ts";
import { ErrorReason } from "../../../src/hub/error.ts";
import { createHubInput, type HubInit } from "../../../src/hub/input.ts";
import { createContentCheck } from "../../../src/inference/checks/check-content.ts";

type Block = MessageInitShape<typeof ContentBlockSchema>;

const check = createContentCheck({ jsonDepth: 20, jsonValues: 100 });
const withBlock = (block: Block): HubInit => ({ messages: [{ role: Role.USER, content: [block] }] });
const image = (url: string) => withBlock({ kind: { case: "image", value: { source: { case: "url", value: url } } } });
const document = (url: string): Block => ({
  kind: { case: "document", value: { source: { case: "url", value: url } } },
});
const inline = (mediaType: string) =>
  withBlock({ kind: { case: "image", value: { source: { case: "inline", value: { mediaType, base64: "aGk=" } } } } });
const call = (text: string) => withBlock({ kind: { case: "toolUse", value: { id: "c", name: "f", arguments: text } } });
const said = { kind: { case: "text" as const, value: { text: "Hi" } } };
const raw = (json: string, dialect: Dialect = Dialect.CHAT) => ({ dialect, json });
const tool = (json: string): MessageInitShape<typeof ToolSchema> => {
  return { kind: { case: "function", value: { name: "f", parametersJson: json } } };
};
const DEEP = "[".repeat(21) + "]".repeat(21);
const HALF = `[${"1,".repeat(59)}1]`;
const MANY = `[${"1,".repeat(100)}1]`;

describe("createContentCheck()", () => {
  it.each<[string, HubInit]>([
    ["an address", image("https://example.com/a.png")],
    ["an address in capitals", image("HTTP://example.com")],
    ["bytes", inline("image/png")],
    ["bytes of a type that is not said", inline("")],
    ["arguments that are no JSON", call("{not json, but that is the model's affair")],
    ["a choice of one word", { toolChoice: { mode: ToolChoiceMode.OPAQUE, opaque: raw('"auto"') } }],
    ["JSON of another format", { extension: raw('{"logit_bias":{}}'), tools: [tool('{"type":"object"}')] }],
  ])("accepts %s", (_what, init) => {
    expect(() => check(createHubInput(init))).not.toThrow();
  });

  const first = "messages[0].content[0]";
  it.each<[string, HubInit, string, RegExp]>([
    ...[
      "javascript:alert(1)",
      "data:image/png;base64,aGk=",
      "file:///etc/passwd",
      "ftp://a/b",
      " https://a",
      "https://",
      "",
    ].map((url): [string, HubInit, string, RegExp] => [
      `the address ${url}`,
      image(url),
      `${first}.url`,
      /must begin with/,
    ]),
    ["the address of a document", withBlock(document("javascript:0")), `${first}.url`, /must begin with/],
    [
      "an address in the result of a tool",
      withBlock({ kind: { case: "toolResult", value: { content: [document("vbscript:0")] } } }),
      `${first}.content[0].url`,
      /must begin with/,
    ],
    [
      "an address inside of a document",
      withBlock({
        kind: { case: "document", value: { source: { case: "content", value: { blocks: [document("blob:0")] } } } },
      }),
      `${first}.content.blocks[0].url`,
      /must begin with/,
    ],
    [
      "an annotation that is deeper than a body may be",
      withBlock({ ...said, annotations: { annotations: [{ kind: { case: "opaque", value: raw(DEEP) } }] } }),
      `${first}.annotations.annotations[0].json`,
      /levels/,
    ],
    [
      "a citation whose members are no object",
      withBlock({
        ...said,
        annotations: {
          annotations: [{ kind: { case: "urlCitation", value: { url: "https://a.example", extension: raw("1") } } }],
        },
      }),
      `${first}.annotations.annotations[0].extension.json`,
      /must be a JSON object/,
    ],
    [
      "an annotation of no kind",
      withBlock({ ...said, annotations: { annotations: [{}] } }),
      `${first}.annotations.annotations[0]`,
      /has no kind/,
    ],
    ["a media type with parameters", inline("image/png;base64,x"), `${first}.inline.media_type`, /media type alone/],
    ["a role that is none", { messages: [{ role: 99 as Role }] }, "messages[0].role", /99 is not a value of Role/],
    ["an effort that is none", { reasoning: { effort: -1 as never } }, "reasoning.effort", /-1 is not a value/],
    ["a lifetime that is none", { automaticCacheMark: { ttl: 9 as never } }, "automatic_cache_mark.ttl", /CacheTtl/],
    ["a format that is none", { extension: raw("{}", 9 as Dialect) }, "extension.dialect", /Dialect/],
    ["a block without a kind", withBlock({}), first, /has no kind/],
    ["a tool without a kind", { tools: [{}] }, "tools[0]", /has no kind/],
    ["JSON that is none", { extension: raw("{not json") }, "extension.json", /must be a JSON object/],
    [
      "JSON that is no object",
      withBlock({ kind: { case: "opaque", value: raw("[1]") } }),
      `${first}.json`,
      /JSON object/,
    ],
    ["a schema that is none", { tools: [tool("{")] }, "tools[0].parameters_json", /must be JSON/],
    ["a schema that is nested too deep", { tools: [tool(DEEP)] }, "tools[0].parameters_json", /deeper than 20 levels/],
    ["arguments that are nested too deep", call(DEEP), `${first}.arguments`, /deeper than 20 levels/],
    ["arguments of too many values", call(MANY), `${first}.arguments`, /more than the 100 values/],
    [
      "texts of too many values together",
      { tools: [tool(HALF), tool(HALF)] },
      "tools[1].parameters_json",
      /more than the 100 values/,
    ],
  ])("refuses %s", (_what, init, param, problem) => {
    expect(() => check(createHubInput(init))).toThrow(
      expect.objectContaining({
        reason: ErrorReason.INVALID_REQUEST,
        message: expect.stringMatching(problem),
        facts: expect.objectContaining({ param }),
      }),
    );
  });

  it("names messages as the caller's format does, and leaves the JSON that its decoder has written", () => {
    const input: HubInit = { ...call(DEEP), dialect: Dialect.RESPONSES };
    expect(() => check(createHubInput(input))).toThrow(
      "messages[0].content[0].arguments: is nested deeper than 20 levels",
    );
    const lenient: HubInit = {
      messages: [{ role: Role.USER, content: [{}] }],
      dialect: Dialect.CHAT,
      extension: raw("1"),
    };
    expect(() => check(createHubInput(lenient))).not.toThrow();
  });
});
