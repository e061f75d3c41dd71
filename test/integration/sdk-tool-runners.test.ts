import { ResponsesToolRunner } from "openai/helpers/responses-tool-runner";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import { CALLS, TEXT, UPSTREAM_KINDS } from "../support/upstream-frames.ts";

let fixture: SdkFixture;
/** Arguments of the calls that were made, in their order. */
let asked: unknown[];

beforeAll(async () => {
  fixture = await startSdkFixture();
});

afterAll(() => fixture.close());

beforeEach(() => {
  asked = [];
});

const parameters = { type: "object" as const, properties: { city: { type: "string" as const } }, required: ["city"] };
const QUESTION = "Weather in Oslo and in Rome?";

const run = async (given: unknown): Promise<string> => {
  asked.push(given);
  return `${asked.length} degrees`;
};

/** The tools were called once each, and the model has the question and both results, in order and once. */
function expectLoop(): void {
  expect(asked).toEqual(CALLS.map((call) => JSON.parse(call.arguments)));
  const body = fixture.upstream.received.at(-1)?.body ?? "";
  const pieces = [QUESTION, "1 degrees", "2 degrees"];
  expect(pieces.map((piece) => body.split(piece).length - 1)).toEqual([1, 1, 1]);
  const places = pieces.map((piece) => body.indexOf(piece));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
}

describe.each(UPSTREAM_KINDS)("the SDKs' tool runners on a model of a %s upstream", (kind) => {
  const model = MODEL[kind];

  it.each([false, true])("run the tools of Chat (stream: %s)", async (stream) => {
    fixture.script(kind, "calls", "text");
    const tool = { type: "function", function: { name: "get_weather", parameters, parse: JSON.parse, function: run } };
    const body = { model, messages: [{ role: "user", content: QUESTION }], tools: [tool], stream };
    const runner = fixture.openai().chat.completions.runTools(body as never);
    expect(await runner.finalContent()).toBe(TEXT);
    expectLoop();
  });

  it.each([false, true])("run the tools of Responses (stream: %s)", async (stream) => {
    fixture.script(kind, "calls", "text");
    const tool = { type: "function" as const, name: "get_weather", parameters, strict: false };
    const runner = new ResponsesToolRunner({ functions: [{ tool, execute: run }] });
    const input = [{ type: "message" as const, role: "user" as const, content: QUESTION }];
    const last = await runner.run(fixture.openai(), { model, input }, { stream });
    expect(last.output_text).toBe(TEXT);
    expectLoop();
  });

  it.each([false, true])("run the tools of Messages (stream: %s)", async (stream) => {
    fixture.script(kind, "calls", "text");
    const tool = {
      type: "custom" as const,
      name: "get_weather",
      input_schema: parameters,
      run,
      parse: (value: unknown) => value,
    };
    const body = { model, max_tokens: 50, messages: [{ role: "user", content: QUESTION }], tools: [tool], stream };
    const last = await fixture.anthropic().beta.messages.toolRunner(body as never);
    expect(last).toMatchObject({ content: [{ type: "text", text: TEXT }] });
    expectLoop();
  });
});
