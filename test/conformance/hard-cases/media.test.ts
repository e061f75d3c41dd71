import { describe, expect, it } from "vitest";
import { FORMATS, type Format } from "../../support/sdk-calls.ts";
import { MODEL } from "../../support/sdk-fixture.ts";
import { UPSTREAM_KINDS, type UpstreamKind } from "../../support/upstream-frames.ts";
import { useHardCases } from "./hard-case.ts";
import { promptIn } from "./tool-members.ts";

const cases = useHardCases();
const routes = FORMATS.flatMap((format) => UPSTREAM_KINDS.map((kind) => ({ format, kind })));
const GIF = "R0lGODlhAQABAAAAACw=";
const PDF = "JVBERi0xLjQKJSVFT0YK";
const ADDRESS = "https://example.com/cat.png";

/** An image as the formats write it: by a data URL, or by an address. */
const image = (url: string, base64?: readonly [mediaType: string, data: string]): Record<Format, object> => ({
  chat: { type: "image_url", image_url: { url } },
  responses: { type: "input_image", image_url: url, detail: "auto" },
  messages: {
    type: "image",
    source: base64 === undefined ? { type: "url", url } : { type: "base64", media_type: base64[0], data: base64[1] },
  },
});

async function received(format: Format, kind: UpstreamKind, part: object): Promise<string> {
  cases().script(kind, "text");
  const { status, text } = await cases().post(format, { model: MODEL[kind], ...promptIn(format, [part]) });
  expect(text).toContain("Grüße");
  expect(status).toBe(200);
  return cases().upstream.received.at(-1)?.body ?? "";
}

describe.each(routes)("images in $format for a $kind upstream", ({ format, kind }) => {
  it.each(["image/gif", "image/webp"])("case 28: %s in a data URL, and as bytes", async (type) => {
    const body = await received(format, kind, image(`data:${type};base64,${GIF}`, [type, GIF])[format]);
    if (kind === "messages") expect(body).toContain(`{"type":"base64","media_type":"${type}","data":"${GIF}"}`);
    else expect(body).toContain(`"data:${type};base64,${GIF}"`);
  });

  it("case 28: by address", async () => {
    const body = await received(format, kind, image(ADDRESS)[format]);
    if (kind === "messages") expect(body).toContain(`{"type":"url","url":"${ADDRESS}"}`);
    else expect(body).toContain(`"${ADDRESS}"`);
  });
});

describe("images with more to say", () => {
  it.each(["chat", "responses"] as const)("case 28: a data URL with a charset, in %s", async (format) => {
    const part = image(`data:image/png;charset=utf-8;base64,${GIF}`)[format];
    expect(await received(format, "messages", part)).toContain(`"media_type":"image/png","data":"${GIF}"`);
  });

  it.each(["low", "high", "auto"])("case 28: the detail %s is kept between OpenAI's formats", async (detail) => {
    const chat = { type: "image_url", image_url: { url: ADDRESS, detail } };
    expect(await received("chat", "responses", chat)).toContain(`"detail":"${detail}"`);
    const responses = { type: "input_image", image_url: ADDRESS, detail };
    expect(await received("responses", "chat", responses)).toContain(`"detail":"${detail}"`);
  });

  it.each(FORMATS)("case 28: bytes that are no base64 are refused by their place, in %s", async (format) => {
    const part = image("data:image/png;base64,no base64!", ["image/png", "no base64!"])[format];
    const before = cases().upstream.received.length;
    const answer = await cases().post(format, { model: MODEL.chat, ...promptIn(format, [part]) });
    expect(answer.status).toBe(400);
    expect(answer.text).toMatch(/(messages|input)\[0\]\.content\[0\]/);
    expect(cases().upstream.received).toHaveLength(before);
  });

  it("case 28: in a tool_result they reach every upstream", async () => {
    const source = { type: "base64", media_type: "image/png", data: GIF };
    const messages = [
      { role: "user", content: "x" },
      { role: "assistant", content: [{ type: "tool_use", id: "t", name: "f", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: [{ type: "image", source }] }] },
    ];
    for (const kind of UPSTREAM_KINDS) {
      cases().script(kind, "text");
      expect((await cases().post("messages", { model: MODEL[kind], messages })).status).toBe(200);
      expect(cases().upstream.received.at(-1)?.body).toContain(GIF);
    }
  });
});

describe("files", () => {
  const dataUrl = `data:application/pdf;base64,${PDF}`;
  const pdf = {
    chat: { type: "file", file: { filename: "a.pdf", file_data: dataUrl } },
    responses: { type: "input_file", filename: "a.pdf", file_data: dataUrl },
    messages: {
      type: "document",
      title: "a.pdf",
      source: { type: "base64", media_type: "application/pdf", data: PDF },
    },
  };

  it.each(routes)("case 29: a PDF of $format reaches a $kind upstream with its name", async ({ format, kind }) => {
    const body = await received(format, kind, pdf[format]);
    const bytes = kind === "messages" ? pdf.messages.source : dataUrl;
    expect(body).toContain(JSON.stringify(bytes));
    expect(body).toContain('"a.pdf"');
  });

  it("case 29: a file by address is a document by address", async () => {
    const url = "https://example.com/a.pdf";
    expect(await received("responses", "messages", { type: "input_file", file_url: url })).toContain(
      `{"type":"url","url":"${url}"}`,
    );
  });

  it("case 29: a plain text with a title is told to each upstream", async () => {
    const source = { type: "text", media_type: "text/plain", data: "Once upon a time" };
    const part = { type: "document", title: "tale.txt", source };
    expect(await received("messages", "messages", part)).toContain(JSON.stringify(source));
    for (const kind of ["chat", "responses"] as const) {
      const body = await received("messages", kind, part);
      expect(body).toContain("tale.txt");
      const encoded = Buffer.from("Once upon a time").toString("base64");
      expect(body.includes("Once upon a time") || body.includes(encoded)).toBe(true);
    }
  });

  it.each<[Format, object]>([
    ["chat", { type: "file", file: { file_id: "file-1" } }],
    ["responses", { type: "input_file", file_id: "file-1" }],
  ])("case 29: an id of a file in %s is refused where nobody knows it", async (format, part) => {
    const { status, text } = await cases().post(format, { model: MODEL.messages, ...promptIn(format, [part]) });
    expect([400, 404]).toContain(status);
    expect(text).toMatch(/(messages|input)\[0\]\.content\[0\]/);
  });
});
