import { describe, expect, it } from "vitest";
import { FORMATS, type Format } from "../../support/sdk-calls.ts";
import { answerOf, MODEL } from "../../support/sdk-fixture.ts";
import { JSON_TEXT, messagesFrames, REFUSAL, textBlock, UPSTREAM_KINDS } from "../../support/upstream-frames.ts";
import { ask } from "./ask.ts";
import { EVERY_PARAMETER } from "./every-parameter.ts";
import { SANDBOX, useHardCases } from "./hard-case.ts";
import { PARAMETERS, promptIn } from "./tool-members.ts";

const cases = useHardCases();

describe("stop sequences", () => {
  const prompt = promptIn("chat", "alpha beta gamma");
  const REASON = { chat: "stop", messages: "stop_sequence" } as const;
  // Across the border of two tokens of the sandbox.
  const SEQUENCE = "ta gam";

  it.each(["chat", "messages"] as const)("case 21: end an answer of the sandbox before them, in %s", async (format) => {
    const name = format === "chat" ? "stop" : "stop_sequences";
    for (const stop of format === "chat" ? [SEQUENCE, ["nothing", SEQUENCE]] : [["nothing", SEQUENCE]]) {
      for (const stream of [false, true]) {
        const said = await ask(cases(), format, { model: SANDBOX, members: { ...prompt, [name]: stop }, stream });
        expect(said.text.endsWith("alpha be")).toBe(true);
        expect(said.reason).toBe(REASON[format]);
      }
    }
  });

  it("case 21: are told in Messages, whole and in a stream", async () => {
    const members = { ...prompt, stop_sequences: ["nothing", SEQUENCE] };
    const whole = await cases().post("messages", { ...members });
    expect(whole.json()).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: SEQUENCE });
    const streamed = await cases().post("messages", { ...members, stream: true });
    expect(streamed.text).toContain(`"stop_reason":"stop_sequence","stop_sequence":"${SEQUENCE}"`);
  });

  it("case 21: of Chat reach a Messages upstream as a list", async () => {
    cases().upstream.answer(answerOf(messagesFrames([textBlock("a")], "stop_sequence")));
    const answer = await cases().post("chat", { model: MODEL.messages, stop: "END" });
    expect(cases().lastBody()).toMatchObject({ stop_sequences: ["END"] });
    expect(answer.json()).toMatchObject({ choices: [{ finish_reason: "stop" }] });
  });
});

const SCHEMA = {
  type: "object",
  properties: { city: { type: "string" }, degrees: { type: "integer" } },
  required: ["city", "degrees"],
  additionalProperties: false,
};
/** A schema of Messages has no name; where one is required it is the name of a response. */
const spelled = (schema: object, source: Format = "chat"): Record<Format, object> => {
  const name = source === "messages" ? "response" : "weather";
  return {
    chat: { response_format: { type: "json_schema", json_schema: { name, schema, strict: true } } },
    responses: { text: { format: { type: "json_schema", name, schema, strict: true } } },
    messages: { output_config: { format: { type: "json_schema", schema } } },
  };
};

describe.each(FORMATS)("a schema for the answer in %s", (format) => {
  const place = {
    chat: "response_format.json_schema.schema",
    responses: "text.format.schema",
    messages: "output_config.format.schema",
  }[format];

  it.each(["sandbox", ...UPSTREAM_KINDS] as const)("case 22: is kept in a stream and whole, by %s", async (kind) => {
    for (const stream of [false, true]) {
      if (kind !== "sandbox") cases().script(kind, "json");
      const model = kind === "sandbox" ? SANDBOX : MODEL[kind];
      const said = await ask(cases(), format, {
        model,
        members: { ...spelled(SCHEMA)[format], max_tokens: 99 },
        stream,
      });
      const value = JSON.parse(said.text) as { city: unknown; degrees: unknown };
      if (kind === "sandbox") expect([typeof value.city, typeof value.degrees]).toEqual(["string", "number"]);
      else {
        expect(said.text).toBe(JSON_TEXT);
        expect(cases().lastBody()).toMatchObject(spelled(SCHEMA, format)[kind]);
      }
    }
  });

  it("case 22: that is refused has its refusal apart from the content", async () => {
    cases().script("chat", "refusal");
    const members = { ...spelled(SCHEMA)[format], max_tokens: 99 };
    const said = await ask(cases(), format, { model: MODEL.chat, members });
    if (format === "messages") expect(said.reason).toBe("refusal");
    else expect(said).toMatchObject({ text: "", refusal: REFUSAL });
  });

  it("case 22: with a keyword that is wrong is a 400 that names it", async () => {
    const wrong = { type: "object", properties: { city: { type: "strin" } } };
    const { status, text } = await cases().post(format, { model: SANDBOX, ...spelled(wrong)[format] });
    expect(status).toBe(400);
    expect(text).toContain(place);
  });
});

/** Members that go out in another spelling of the same, or are left out where they say what is meant without them. */
const RESPELLED: Record<Format, object> = {
  chat: { stop: ["\n"], n: undefined, modalities: undefined },
  // Attune itself answers in the background, or does not.
  responses: { background: undefined },
  messages: { tools: [{ name: "name", description: "description", input_schema: PARAMETERS, strict: false }] },
};

describe.each(FORMATS)("every parameter of %s at once", (format) => {
  it.each([SANDBOX, ...Object.values(MODEL)])("case 23: is taken by %s", async (model) => {
    const kind = UPSTREAM_KINDS.find((name) => MODEL[name] === model);
    if (kind !== undefined) cases().script(kind, "text");
    const answer = await cases().post(format, { ...EVERY_PARAMETER[format], model });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("attune-served-by")).toBe(kind ?? "sandbox");
  });

  it("case 23: reaches an upstream of the format, nothing changed and nothing lost", async () => {
    cases().script(format, "text");
    const answer = await cases().post(format, { ...EVERY_PARAMETER[format], model: MODEL[format] });
    expect(answer.headers.get("attune-translation-loss")).toBeNull();
    const { stream: _stream, messages: _messages, input: _input, ...options } = EVERY_PARAMETER[format];
    for (const [name, value] of Object.entries({ ...options, ...RESPELLED[format] })) {
      expect(cases().lastBody()[name], name).toEqual(value);
    }
  });

  it.each(UPSTREAM_KINDS.filter((kind) => kind !== format))(
    "case 23: is a 400 in strict mode where a %s upstream cannot be told of all",
    async (kind) => {
      const before = cases().upstream.received.length;
      const body = { ...EVERY_PARAMETER[format], model: MODEL[kind] };
      const answer = await cases().post(format, body, { "attune-strict": "true" });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain("strict");
      expect(cases().upstream.received).toHaveLength(before);
    },
  );
});

describe("what one answer cannot hold or an upstream cannot do", () => {
  it.each(UPSTREAM_KINDS)("case 39: n above 8 is a 400 by name, for a %s upstream", async (kind) => {
    const answer = await cases().post("chat", { model: MODEL[kind], n: 9 });
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ error: { param: "n" } });
  });

  const ODD = { seed: 7, logit_bias: { "50256": -100 }, logprobs: true, top_logprobs: 2 };

  it("case 39: seed, logit_bias and logprobs reach a Chat upstream", async () => {
    cases().script("chat", "text");
    expect((await cases().post("chat", { model: MODEL.chat, ...ODD })).status).toBe(200);
    expect(cases().lastBody()).toMatchObject(ODD);
  });

  it.each(["responses", "messages"] as const)(
    "case 39: where a %s upstream cannot be told of them they are named, and refused in strict mode",
    async (kind) => {
      cases().script(kind, "text");
      const answer = await cases().post("chat", { model: MODEL[kind], ...ODD });
      expect(answer.headers.get("attune-translation-loss")?.split(", ")).toEqual(
        expect.arrayContaining(["seed", "logit_bias"]),
      );
      const before = cases().upstream.received.length;
      const strict = await cases().post("chat", { model: MODEL[kind], ...ODD }, { "attune-strict": "true" });
      expect(strict.status).toBe(400);
      expect(cases().upstream.received).toHaveLength(before);
    },
  );
});
