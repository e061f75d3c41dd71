import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { InferenceRow } from "../../src/store/entities/inference.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { listInferences } from "../../src/store/read/queries/list-inferences.ts";
import { failure } from "../support/sdk-failures.ts";
import { type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import {
  CALLS,
  FRAMES,
  TEXT,
  UPSTREAM_HEADERS,
  UPSTREAM_KINDS,
  type UpstreamKind,
} from "../support/upstream-frames.ts";
import type { Conversation } from "./conversation.ts";
import { AGENTS } from "./shapes.ts";

let fixture: SdkFixture;
/** Losses that the agent was told of. */
let losses: Set<string>;

beforeAll(async () => {
  fixture = await startSdkFixture();
});

afterAll(() => fixture.close());

beforeEach(() => {
  losses = new Set();
});

/** Words in which each kind of upstream says that a prompt is too long. */
const OVERFLOW: Record<UpstreamKind, ReturnType<typeof failure>> = {
  chat: failure("chat", {
    status: 400,
    type: "invalid_request_error",
    code: "context_length_exceeded",
    message: "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
  }),
  responses: failure("responses", {
    status: 400,
    type: "invalid_request_error",
    code: "context_length_exceeded",
    message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
  }),
  messages: failure("messages", {
    status: 400,
    type: "invalid_request_error",
    message: "prompt is too long: 130000 tokens > 128000 maximum",
  }),
};

/** An answer that says a word and then waits for ever. */
const stuck = (kind: UpstreamKind) => {
  const frames = FRAMES[kind].text;
  const saying = frames.findIndex((frame) => frame.includes("Gr"));
  return { headers: UPSTREAM_HEADERS, steps: [...frames.slice(0, saying + 1), { waitMs: 60_000 }] };
};

/** What the model was given last: the instructions, and what was said in this order; each once. */
function expectGiven(instructions: readonly string[], said: readonly string[]): void {
  const body = fixture.upstream.received.at(-1)?.body ?? "";
  const pieces = [...instructions, ...said];
  const found = pieces.map((piece) => ({ piece, times: body.split(JSON.stringify(piece).slice(1, -1)).length - 1 }));
  expect(found).toEqual(pieces.map((piece) => ({ piece, times: 1 })));
  const places = said.map((piece) => body.indexOf(JSON.stringify(piece).slice(1, -1)));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
}

/** Reads the record that was made last. */
async function readNewest(): Promise<InferenceRow> {
  const { rows } = await listInferences(fixture.service.store, { projectId: DEFAULT_PROJECT.id, limit: 1 });
  const [row] = rows;
  return row ?? expect.unreachable("there is no record");
}

describe.each(AGENTS)("$name", ({ begin, hasTools, instructions, facts, losses: expected }) => {
  describe.each(UPSTREAM_KINDS)("on a model of a %s upstream", (kind) => {
    const start = (): Conversation =>
      begin({
        fixture,
        kind,
        onAnswer: (headers) => {
          for (const loss of headers.get("attune-translation-loss")?.split(", ") ?? []) losses.add(loss);
        },
      });

    it("leads a session of several turns, and the model is given all of it, in order", async () => {
      const conversation = start();
      const said: string[] = ["Fix the failing test"];
      conversation.say("Fix the failing test");
      if (hasTools) {
        fixture.script(kind, "calls");
        const { calls } = await conversation.ask();
        expect(calls.map(({ arguments: given }) => given)).toEqual(CALLS.map((call) => JSON.parse(call.arguments)));
        conversation.answer(calls.map((call, index) => ({ call, output: `result number ${index}` })));
        said.push("result number 0", "result number 1");
      }
      fixture.script(kind, "thinking");
      await conversation.ask();
      conversation.say("Now the other one");
      fixture.script(kind, "text");
      expect((await conversation.ask()).text).toBe(TEXT);
      expectGiven(instructions, [...said, "Now the other one"]);
      expect([...losses].toSorted()).toEqual(expected[kind].toSorted());
      await fixture.service.flush();
      const { sessionId, sessionSource, endUserId } = await readNewest();
      expect({ sessionId, sessionSource, endUserId }).toEqual({
        sessionId: null,
        sessionSource: null,
        endUserId: null,
        ...facts,
      });
    });

    it("goes on after an interruption, with what it keeps of it", async () => {
      const conversation = start();
      conversation.say("Explain the module");
      fixture.upstream.answer(stuck(kind));
      await conversation.interrupt();
      await fixture.upstream.received.at(-1)?.aborted;
      conversation.say("Shorter please");
      fixture.script(kind, "text");
      expect((await conversation.ask()).text).toBe(TEXT);
      expectGiven(instructions, ["Explain the module", "interrupted", "Shorter please"]);
    });

    it("knows that a prompt is too long, has it summarised, and goes on with the summary", async () => {
      const conversation = start();
      conversation.say("A question too many");
      fixture.upstream.answer(OVERFLOW[kind]);
      const error: unknown = await conversation.ask().catch((thrown: unknown) => thrown);
      expect(conversation.isOverflow(error)).toBe(true);
      conversation.say("Create a detailed summary of the conversation so far");
      fixture.script(kind, "text");
      const { text } = await conversation.ask();
      conversation.compact(text);
      conversation.say("Go on");
      fixture.script(kind, "text");
      expect((await conversation.ask()).text).toBe(TEXT);
      expectGiven(instructions.slice(0, 1), [TEXT, "Go on"]);
      expect(fixture.upstream.received.at(-1)?.body).not.toContain("A question too many");
    });
  });
});
