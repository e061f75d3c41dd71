import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import { FinishReason, type GenerateResponse } from "../../gen/attune/inference/v1/inference_pb.ts";
import { findServerFacts, type ServerName } from "../../src/catalog/server-facts.ts";
import { openaiChatProtocol } from "../../src/formats/chat/protocol.ts";
import { anthropicMessagesProtocol } from "../../src/formats/messages/protocol.ts";
import { openaiResponsesProtocol } from "../../src/formats/responses/protocol.ts";
import { createSseReader } from "../../src/formats/shared/sse.ts";
import { withThinkTags } from "../../src/formats/shared/think-tags/with-think-tags.ts";
import { ErrorReason } from "../../src/hub/error.ts";
import { ResponseFold } from "../../src/inference/checks/response-fold.ts";

const PROTOCOLS = {
  chat: openaiChatProtocol,
  responses: openaiResponsesProtocol,
  messages: anthropicMessagesProtocol,
};

/** Answers of servers as `npm run compat -- servers --record` writes them. */
interface Fixture {
  readonly server: string;
  readonly profile: ServerName;
  readonly date: string;
  readonly answers: readonly {
    readonly check: string;
    readonly route: keyof typeof PROTOCOLS;
    readonly status: number;
    readonly type: string;
    readonly body: string;
  }[];
}

const folder = join(import.meta.dirname, "../fixtures/servers");
const fixtures = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Fixture);
const cases = fixtures.flatMap(({ server, profile, answers }) =>
  answers.map((answer) => ({ server, profile, ...answer, name: answer.check.split(",")[0] ?? "" })),
);

/** The limit of the checks that are named by it. */
const LIMIT = 20;

type Case = (typeof cases)[number];

/** Reads an answer, a stream in pieces of a few bytes. */
function read({ route, profile, type, body, name }: Case): GenerateResponse {
  const maxOutputTokens = name.startsWith("a limit") ? LIMIT : undefined;
  const choices = name === "two answers" ? 2 : undefined;
  const context = { profile: findServerFacts(profile, route), maxOutputTokens, choices };
  const plain = PROTOCOLS[route].createEventDecoder(Dialect.UNSPECIFIED, context);
  const decoder = context.profile.thinkTags ? withThinkTags(plain, false) : plain;
  const fold = new ResponseFold();
  if (!type.includes("event-stream")) {
    for (const event of decoder.decodeWhole(body)) fold.add(event);
    return fold.response;
  }
  const reader = createSseReader();
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += 7) {
    for (const message of reader.read(bytes.subarray(at, at + 7)))
      for (const event of decoder.decode(message)) fold.add(event);
  }
  for (const event of decoder.close()) fold.add(event);
  return fold.response;
}

function textOf({ content }: GenerateResponse): string {
  return content.map(({ kind }) => (kind.case === "text" ? kind.value.text : "")).join("");
}

function thoughtOf({ content }: GenerateResponse): string {
  return content
    .map(({ kind }) => (kind.case === "thinking" ? [kind.value.text, ...kind.value.summary].join("") : ""))
    .join("")
    .trim();
}

/** The reasons of the refusals that have a check of their own. */
const REFUSALS: Readonly<Record<string, ErrorReason>> = {
  "a prompt that is too long": ErrorReason.CONTEXT_LENGTH_EXCEEDED,
  "a picture for a model without eyes": ErrorReason.INVALID_REQUEST,
  "an unknown model": ErrorReason.MODEL_NOT_FOUND,
};

describe("answers that servers gave", () => {
  it("are of known servers and versions", () => {
    expect(fixtures.map(({ server }) => server).every((server) => /\d+\.\d+/.test(server))).toBe(true);
    expect(cases.length).toBeGreaterThan(60);
  });

  it.each(cases.filter(({ status }) => status === 200))("$server, $check", (answer) => {
    const response = read(answer);
    // aimock says zeros, and so does Claude Code Router in streams.
    const isCounted = !["unknown", "claude-code-router"].includes(answer.profile);
    if (isCounted) expect(response.finished?.usage?.outputTokens).toBeGreaterThan(0);
    if (/tool$|tool in/.test(answer.name)) {
      expect(response.finished?.reason).toBe(FinishReason.TOOL_USE);
      const calls = response.content.flatMap(({ kind }) => (kind.case === "toolUse" ? kind.value : []));
      expect(calls.map(({ name, arguments: json }) => [name, JSON.parse(json)])).toEqual([["look", { ok: true }]]);
    } else if (answer.name === "a tool that has a name alone") {
      expect(response.finished?.reason).toBe(FinishReason.TOOL_USE);
    } else if (answer.name.startsWith("a limit")) expect(response.finished?.reason).toBe(FinishReason.LENGTH);
    else if (/^a (?:text|stream)$|^thinking/.test(answer.name)) {
      expect(textOf(response)).toBe("Hi there!");
      expect(response.finished?.reason).toBe(FinishReason.STOP);
      expect(thoughtOf(response)).toBe(answer.name.startsWith("thinking") ? "Hm." : "");
    } else {
      // A stop sequence that the server would ignore, or whose format has none, was not sent.
      const isIgnored = findServerFacts(answer.profile, answer.route).ignored.includes("stop_sequences");
      const isSent = !isIgnored && answer.route !== "responses";
      const ends = [FinishReason.STOP, FinishReason.STOP_SEQUENCE, ...(isSent ? [] : [FinishReason.LENGTH])];
      expect(ends).toContain(response.finished?.reason);
    }
  });

  it.each(cases.filter(({ status }) => status !== 200))("$server, $check, which it refuses", (answer) => {
    const { status, body, route, profile, name } = answer;
    const error = PROTOCOLS[route].decodeError({ status, headers: {}, body }, findServerFacts(profile, route));
    const other = status === 400 ? ErrorReason.INVALID_REQUEST : ErrorReason.UPSTREAM_ERROR;
    expect(error.reason).toBe(REFUSALS[name] ?? other);
    if (error.reason !== ErrorReason.CONTEXT_LENGTH_EXCEEDED) return;
    const { promptTokens, maxPromptTokens } = error.facts;
    expect(promptTokens).toBeGreaterThan(maxPromptTokens ?? Number.NaN);
  });
});
