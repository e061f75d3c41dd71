import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../../src/hub/error.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import { readPrompt } from "../../../src/inference/history/history.ts";
import { prepareAtPlaces } from "../../../src/inference/history/history-places.ts";
import type { StoredInference } from "../../../src/inference/ports.ts";
import { InFlight } from "../../../src/inference/run/in-flight.ts";
import { newId } from "../../../src/lib/ids.ts";
import { noConversations } from "../../support/stub-conversations.ts";
import { stubArchive, stubPlace, stubUpstream } from "../../support/stub-upstream.ts";
import { testSigner } from "../../support/test-signer.ts";

const text = (value: string) => ({ kind: { case: "text" as const, value: { text: value } } });

function ask(words: string, previousId?: string) {
  return createHubInput({
    model: "attune/m",
    system: [text("sys")],
    messages: [{ role: Role.USER, content: [text(words)] }],
    ...(previousId === undefined ? {} : { previousId }),
  });
}

function stored(words: string, previousId?: string): StoredInference {
  const output = create(GenerateResponseSchema, { content: [text(`re: ${words}`)] });
  return { id: newId(), previousId, input: ask(words, previousId), output };
}

/** A chain of `count`, the first one first. */
function chainOf(count: number): StoredInference[] {
  const chain: StoredInference[] = [];
  for (let index = 0; index < count; index++) chain.push(stored(`${index}`, chain.at(-1)?.id));
  return chain;
}

const UNDER_WAY = { projectId: "p", model: "m", workload: "" };

const portsOf = (...inferences: StoredInference[]) => ({
  archive: stubArchive(...inferences),
  conversations: noConversations,
});

describe("readPrompt()", () => {
  it("leaves an input alone that continues nothing", async () => {
    const input = ask("a");
    const prompt = await readPrompt(input, "p", portsOf());
    expect(prompt).toEqual({ input, historyLength: 0, previousId: undefined });
    expect(prompt.input).toBe(input);
  });

  it("puts inputs and answers of the chain first, in order, and no earlier system prompt", async () => {
    const chain = chainOf(3);
    const last = chain.at(-1)?.id ?? "";
    const { input, historyLength, previousId } = await readPrompt(
      ask("new", last.toUpperCase()),
      "p",
      portsOf(...chain),
    );
    const words = input.messages.map(({ role, content: [block] }) => [
      role,
      block?.kind.case === "text" ? block.kind.value.text : "",
    ]);
    expect(words).toEqual([
      [Role.USER, "0"],
      [Role.ASSISTANT, "re: 0"],
      [Role.USER, "1"],
      [Role.ASSISTANT, "re: 1"],
      [Role.USER, "2"],
      [Role.ASSISTANT, "re: 2"],
      [Role.USER, "new"],
    ]);
    expect({ historyLength, previousId }).toEqual({ historyLength: 6, previousId: last });
    expect(input.system).toHaveLength(1);
  });

  it("takes system prompt and tools of a thread from its beginning, and the marks of its latest turn alone", async () => {
    const marked = (value: string) => ({ ...text(value), cacheMark: {} });
    const turn = (words: string, previousId: string, beginning: object) =>
      createHubInput({
        model: "attune/m",
        thread: true,
        messages: [{ role: Role.USER, content: [marked(words)] }],
        ...beginning,
        ...(previousId === "" ? {} : { previousId }),
      });
    const tools = [{ kind: { case: "function" as const, value: { name: "f" } } }];
    const output = create(GenerateResponseSchema, { content: [text("re")] });
    const first = {
      id: newId(),
      previousId: undefined,
      input: turn("1", "", { system: [text("sys")], tools }),
      output,
    };
    const second = { id: newId(), previousId: first.id, input: turn("2", first.id, {}), output };
    const { input } = await readPrompt(turn("3", second.id, {}), "p", portsOf(first, second));
    expect(input.system).toEqual(first.input.system);
    expect(input.tools).toEqual(first.input.tools);
    expect(input.messages.map(({ content }) => content[0]?.cacheMark !== undefined)).toEqual([
      ...[false, false, false, false],
      true,
    ]);
    expect(first.input.messages[0]?.content[0]?.cacheMark).toBeDefined();
  });

  it("begins no thread where nothing is kept", async () => {
    const ports = { archive: { ...stubArchive(), keeps: () => false }, conversations: noConversations };
    const input = createHubInput({ model: "attune/m", thread: true });
    await expect(readPrompt(input, "p", ports)).rejects.toMatchObject({
      reason: ErrorReason.THREAD_UNSUPPORTED,
      facts: { param: "thread" },
    });
    await expect(readPrompt(ask("x"), "p", ports)).resolves.toBeDefined();
  });

  it("names what is missing", async () => {
    const id = newId();
    await expect(readPrompt(ask("x", id), "p", portsOf())).rejects.toMatchObject({
      reason: ErrorReason.PREVIOUS_NOT_FOUND,
      message: expect.stringContaining(`previous_id: no stored response has the id '${id}'`),
      facts: { param: "previous_id" },
    });
  });

  it("refuses a chain that has a gap, and names the gap", async () => {
    const [first, second] = chainOf(2);
    if (first === undefined || second === undefined) throw new Error("a chain of two has two");
    await expect(readPrompt(ask("x", second.id), "p", portsOf(second))).rejects.toMatchObject({
      reason: ErrorReason.PREVIOUS_NOT_FOUND,
      message: expect.stringContaining(first.id),
    });
  });

  it("takes a chain of 1000 and refuses one more", async () => {
    const chain = chainOf(1001);
    const ports = portsOf(...chain);
    expect((await readPrompt(ask("x", chain[999]?.id), "p", ports)).historyLength).toBe(2000);
    await expect(readPrompt(ask("x", chain[1000]?.id), "p", ports)).rejects.toMatchObject({
      reason: ErrorReason.INVALID_REQUEST,
      facts: { param: "previous_id" },
    });
  });
});

describe("InFlight.ended()", () => {
  it("ends with the time, and at once for what is not under way", async () => {
    const inFlight = new InFlight();
    await inFlight.ended("a", 60_000);
    inFlight.add("a", UNDER_WAY);
    await inFlight.ended("a", 5);
    expect(inFlight.find("a")).toBe(UNDER_WAY);
  });
});

describe("prepareAtPlaces()", () => {
  const image = { kind: { case: "image" as const, value: {} } };
  const history = [{ content: [text("a")] }, { content: [] }, { content: [text("b"), image] }];
  const whole = createHubInput({ messages: [...history, {}] });
  const asked = stubPlace(stubUpstream("up", []));
  const prompt = { input: whole, historyLength: 3, previousId: newId(), signer: testSigner };

  it("counts losses from the caller's own first message, and says what stands in the conversation", () => {
    const losses = ["top_k", "messages[3]", "messages[14].content[3]", "messages[2].content[1].detail", "messages[1]"];
    expect(prepareAtPlaces(prompt, asked, () => ({ losses })).losses).toEqual([
      "top_k",
      "messages[0]",
      "messages[11].content[3]",
      "previous_id.messages[2].content[1].image.detail",
      "previous_id.messages[1]",
    ]);
  });

  it("leaves the places of a request without a conversation", () => {
    const call = { losses: ["messages[3]"] };
    expect(prepareAtPlaces({ ...prompt, historyLength: 0 }, asked, () => call)).toBe(call);
  });

  it("names the place of a refusal, in its message too", () => {
    const refuse = (): never => {
      throw InferenceError.invalid("messages[4].content[0]", "is wrong");
    };
    expect(() => prepareAtPlaces(prompt, asked, refuse)).toThrow(
      expect.objectContaining({
        message: "messages[1].content[0]: is wrong",
        facts: expect.objectContaining({ param: "messages[1].content[0]" }),
      }),
    );
  });
});
