import { createParser } from "eventsource-parser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Draft, FormatName } from "../../../../../src/dashboard/features/playground/web/draft.ts";
import {
  type Answer,
  NO_ANSWER,
  spokenText,
} from "../../../../../src/dashboard/features/playground/web/formats/answer.ts";
import { FORMATS } from "../../../../../src/dashboard/features/playground/web/formats/formats.ts";
import { readDraft } from "../../../../../src/dashboard/features/playground/web/formats/settings.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { draftOf, TOOLS } from "./draft-of.ts";

const NAMES: readonly FormatName[] = ["chat", "responses", "messages"];
const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** What the sandbox says of a hello. */
const HELLO = "This is Attune's sandbox, not a model. You said: Hello";

/** How each format says that an answer is whole, ends with a call, and was cut. */
const ENDS = {
  chat: { whole: "stop", call: "tool_calls", cut: "length" },
  responses: { whole: "completed", call: "completed", cut: "max_output_tokens" },
  messages: { whole: "end_turn", call: "tool_use", cut: "max_tokens" },
} as const;

describe.each(NAMES)("an answer of the format %s", (format) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
  });

  afterAll(() => service.close());

  async function ask(changes: Partial<Draft>): Promise<Answer> {
    const { path, reader, write } = FORMATS[format];
    const { settings } = readDraft(draftOf({ format, ...changes }));
    const body = JSON.stringify(write(settings));
    const response = await fetch(`${service.url}${path}`, { method: "POST", headers: service.headers, body });
    if (!settings.streams) return reader.whole(await response.json());
    let answer = NO_ANSWER;
    const parser = createParser({
      onEvent({ data }) {
        if (data !== "[DONE]") answer = reader.event(answer, JSON.parse(data));
      },
    });
    parser.feed(await response.text());
    return answer;
  }

  /** The same answer, whole and as a stream. */
  async function askBoth(changes: Partial<Draft>): Promise<Answer> {
    const whole = await ask({ ...changes, streams: false });
    const stream = await ask({ ...changes, streams: true });
    expect([whole.id, stream.id]).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)]);
    expect(shown(stream)).toEqual(shown(whole));
    return stream;
  }

  /** Without the ids, and without how the pieces are told apart. */
  function shown({ id: _, parts, ...rest }: Answer) {
    return { ...rest, parts: parts.map(({ kind, name, text }) => [kind, name, text]) };
  }

  it("is read alike whole and from its stream: text, usage and end", async () => {
    const answer = await askBoth({});
    expect(shown(answer)).toEqual({
      parts: [["text", "", HELLO]],
      usage: { inputTokens: expect.any(Number), cachedTokens: 0, outputTokens: expect.any(Number), reasoningTokens: 0 },
      finish: ENDS[format].whole,
      error: "",
    });
    expect(spokenText(answer)).toBe(HELLO);
  });

  it("has its thinking apart", async () => {
    const { parts, usage } = await askBoth({ effort: "high" });
    expect(parts.map(({ kind }) => kind)).toEqual(["thinking", "text"]);
    expect(parts[0]?.text).not.toBe("");
    expect(parts[1]?.text).toBe(HELLO);
    expect(usage?.reasoningTokens).toBeGreaterThan(0);
  });

  it("has calls of tools with their arguments", async () => {
    const answer = await askBoth({ tools: TOOLS });
    const { parts, finish } = answer;
    expect(parts.filter(({ kind }) => kind === "tool").map(({ name, text }) => [name, JSON.parse(text)])).toEqual([
      ["get_weather", { city: "Rome" }],
    ]);
    expect(finish).toBe(ENDS[format].call);
  });

  it("says that it was cut", async () => {
    const { finish, usage } = await askBoth({ maxTokens: "3" });
    expect([finish, usage?.outputTokens]).toEqual([ENDS[format].cut, 3]);
  });

  it("has what came before it broke off, and why it did", async () => {
    const model = "attune/claude-haiku-5-5:sandbox-mid-stream-death=4";
    const { parts, error, id } = await ask({ model, streams: true });
    expect(parts).toHaveLength(1);
    expect(HELLO.startsWith(parts[0]?.text ?? "?")).toBe(true);
    expect(parts[0]?.text.length).toBeGreaterThan(3);
    expect(error).not.toBe("");
    expect(id).toMatch(UUID);
  });
});

describe("a refusal", () => {
  it.each(["chat", "responses"] as const)("is told apart from text in %s", (format) => {
    const { reader } = FORMATS[format];
    const bodies = {
      chat: { id: "a", choices: [{ message: { content: null, refusal: "No." }, finish_reason: "stop" }] },
      responses: {
        id: "a",
        status: "completed",
        output: [{ type: "message", content: [{ type: "refusal", refusal: "No." }] }],
      },
    };
    const { parts } = reader.whole(bodies[format]);
    expect(parts.map(({ kind, text }) => [kind, text])).toEqual([["refusal", "No."]]);
  });
});
