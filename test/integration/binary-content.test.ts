import { Code, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { FORMAT } from "../conformance/tool-request.ts";
import { UPSTREAM_KINDS, type UpstreamKind } from "../conformance/topic.ts";
import { type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { WHOLES } from "../support/upstream-wholes.ts";

/** `%PDF-1` */
const PDF = Uint8Array.of(0x25, 0x50, 0x44, 0x46, 0x2d, 0x31);
/** The beginning of a PNG. */
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const SOUND = Uint8Array.of(0x52, 0x49, 0x46, 0x46);

/** Says the same bytes as `aGk=`, in a way in which nobody would code them anew. */
const ODD = "aGl=";

let upstream: ScriptedUpstream;
let service: TestService;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  upstream.answerBy((path) => wholeAnswer(WHOLES[formatAt(path)].text));
  const upstreams = UPSTREAM_KINDS.map(
    (kind) => `  ${kind}: { kind: ${kind}, baseUrl: "${upstream.url}/${kind}", apiKey: k }`,
  );
  const models = UPSTREAM_KINDS.map(
    (kind) => `  - name: m-${kind}
    family: messages
    purpose: bytes
    contextWindow: 200000
    maxOutputTokens: 4096
    minCacheableTokens: 1024
    deployments: [ { upstream: ${kind}, model: up } ]`,
  );
  service = await startTestService({ yaml: `upstreams:\n${upstreams.join("\n")}\nmodels:\n${models.join("\n")}\n` });
});

afterAll(async () => {
  await service.close();
  await upstream.close();
});

function formatAt(path: string) {
  const kind = UPSTREAM_KINDS.find((name) => path.startsWith(`/${name}/`));
  if (kind === undefined) throw new Error(path);
  return FORMAT[kind];
}

function received(): string {
  return upstream.received.at(-1)?.body ?? "";
}

const MODEL = (kind: UpstreamKind): string => `attune/m-${kind}`;

describe("bytes over RPC", () => {
  const generate = async (kind: UpstreamKind, content: readonly object[]) => {
    const client = createClient(InferenceService, createGrpcTransport({ baseUrl: service.url }));
    const messages = [{ role: Role.USER, content: [...content] }];
    const input = { model: MODEL(kind), maxOutputTokens: 64, messages };
    await client.generate({ input }, { headers: { authorization: `Bearer ${service.key}` } });
    return received();
  };
  const image = (value: object) => ({
    kind: { case: "image" as const, value: { source: { case: "inline" as const, value } } },
  });
  const document = (value: object) => ({
    kind: { case: "document" as const, value: { source: { case: "inline" as const, value } } },
  });
  const audio = (value: object) => ({ kind: { case: "audio" as const, value: { format: "wav", ...value } } });

  it.each<[UpstreamKind, string[]]>([
    [
      "openai-chat",
      [
        '{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}',
        '{"type":"file","file":{"file_data":"data:application/pdf;base64,JVBERi0x"}}',
        '{"type":"file","file":{"file_data":"JVBERi0x"}}',
      ],
    ],
    [
      "openai-responses",
      [
        '"image_url":"data:image/png;base64,iVBORw0KGgo="',
        '"file_data":"data:application/pdf;base64,JVBERi0x"',
        '"file_data":"JVBERi0x"',
      ],
    ],
    [
      "anthropic-messages",
      [
        '{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}',
        '{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0x"}}',
        '{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0x"}}',
      ],
    ],
  ])("reach %s coded as it wants them", async (kind, parts) => {
    const body = await generate(kind, [
      image({ mediaType: "image/png", data: PNG }),
      document({ mediaType: "application/pdf", data: PDF }),
      document({ data: PDF }),
    ]);
    for (const part of parts) expect(body).toContain(part);
  });

  it("of a sound reach openai-chat", async () => {
    expect(await generate("openai-chat", [audio({ data: SOUND })])).toContain('{"data":"UklGRg==","format":"wav"}');
  });

  it.each(UPSTREAM_KINDS)("that came in base64 reach %s as they were written", async (kind) => {
    expect(await generate(kind, [image({ mediaType: "image/png", base64: ODD })])).toContain(ODD);
  });

  it.each([
    ["an image", [image({ data: PNG, base64: ODD })], "messages[0].content[0].inline"],
    ["a sound", [audio({ data: SOUND, base64: ODD })], "messages[0].content[0]"],
  ])("are refused in two forms at once, in %s", async (_what, content, place) => {
    const problem = "has its bytes both as 'data' and as 'base64': send one of them";
    await expect(generate("openai-chat", content)).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: `${place}: ${problem}`,
    });
  });
});

describe("base64 of JSON formats", () => {
  const url = `data:image/png;base64,${ODD}`;
  const ask: Record<UpstreamKind, readonly [path: string, body: object]> = {
    "openai-chat": [
      "/v1/chat/completions",
      { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }] },
    ],
    "openai-responses": [
      "/v1/responses",
      { input: [{ role: "user", content: [{ type: "input_image", image_url: url }] }] },
    ],
    "anthropic-messages": [
      "/v1/messages",
      {
        max_tokens: 64,
        messages: [
          {
            role: "user",
            content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: ODD } }],
          },
        ],
      },
    ],
  };

  it.each(UPSTREAM_KINDS.flatMap((from) => UPSTREAM_KINDS.map((to) => [FORMAT[from], to, ask[from]] as const)))(
    "of %s reaches %s as it was written",
    async (_format, to, [path, body]) => {
      const response = await fetch(`${service.url}${path}`, {
        method: "POST",
        headers: service.headers,
        body: JSON.stringify({ model: MODEL(to), ...body }),
      });
      expect([response.status, received().includes(ODD)]).toEqual([200, true]);
    },
  );
});
