import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { afterAll, describe, expect, it } from "vitest";
import { Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { InferenceInputSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { TokenCounter } from "../../../src/hub/tokens/token-counter.ts";

const counter = new TokenCounter({
  onDeath: (error) => {
    throw error;
  },
  createError: (why) => new Error(why),
});

afterAll(() => counter.close());

const text = (value: string) => ({ kind: { case: "text" as const, value: { text: value } } });
const prompt = (init: MessageInitShape<typeof InferenceInputSchema>) => create(InferenceInputSchema, init);
const said = (...texts: string[]) => prompt({ messages: [{ role: Role.USER, content: texts.map(text) }] });

describe("TokenCounter", () => {
  it.each<[string, MessageInitShape<typeof InferenceInputSchema>, number]>([
    ["a word", { messages: [{ role: Role.USER, content: [text("hi")] }] }, 4],
    ["system, tools and messages", { system: [text("Be brief.")], messages: [{ content: [text("hi")] }] }, 7],
    ["nothing at all", {}, 1],
    ["an image beside a word", { messages: [{ content: [text("hi"), { kind: { case: "image", value: {} } }] }] }, 1004],
  ])("counts %s", async (_name, init, tokens) => {
    expect(await counter.count(prompt(init), "project")).toBe(tokens);
  });

  it("counts a million characters, and takes what comes after for text of the same kind", async () => {
    // "word" with its blank before is one token of five characters.
    const words = " word".repeat(200_000);
    const million = await counter.count(said(words), "project");
    expect(million).toBeGreaterThan(199_000);
    expect(million).toBeLessThan(201_000);
    expect(await counter.count(said(words, "z".repeat(5_000_000)), "project")).toBe(6 * (million - 3) + 3);
  });

  it("counts what a template puts around 51 turns of a word: 129 with Tekken, 258 with o200k's chat form", async () => {
    const turns = prompt({ messages: Array.from({ length: 51 }, () => ({ content: [text("hi")] })) });
    expect(await counter.count(turns, "project")).toBe(51 * 4);
  });

  it("leaves the serving thread its turns while it counts", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    setTimeout(() => resolve("a turn"), 1);
    const counted = counter.count(said("the quick brown fox ".repeat(50_000)), "project").then(() => "counted");
    expect(await Promise.race([promise, counted])).toBe("a turn");
    await counted;
  });
});
