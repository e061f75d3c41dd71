import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { InferenceInputSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { createCacheKey, createPrefixKey } from "../../../src/routing/steps/prefix-key.ts";
import { stubModel } from "../../support/stub-upstream.ts";

const model = { ...stubModel, minCacheableTokens: 1000 };
const LONG = "word ".repeat(1000);
const text = (value: string) => ({ kind: { case: "text" as const, value: { text: value } } });
const turn = (role: Role, value: string) => ({ role, content: [text(value)] });
const keyOf = (init: MessageInitShape<typeof InferenceInputSchema>, projectId = "p", of = model) =>
  createPrefixKey(create(InferenceInputSchema, init), of, projectId);

describe("createPrefixKey()", () => {
  it("has none for what no cache holds", () => {
    expect(keyOf({ messages: [turn(Role.USER, "Hi")] })).toBeUndefined();
    expect(keyOf({ system: [text(LONG)] }, "p", { ...model, minCacheableTokens: 0 })).toBeUndefined();
  });

  it("is the same over the turns of a conversation", () => {
    const first = [turn(Role.USER, LONG)];
    const key = keyOf({ system: [text("Be brief.")], messages: first });
    expect(key).toBeDefined();
    const more = [...first, turn(Role.ASSISTANT, "Well."), turn(Role.USER, "Go on.")];
    expect(keyOf({ system: [text("Be brief.")], messages: more })).toBe(key);
    expect(keyOf({ system: [text("Be brief.")], messages: [turn(Role.USER, `${LONG}!`)] })).not.toBe(key);
  });

  it("goes by system and tools alone where a cache holds them", () => {
    const key = keyOf({ system: [text(LONG)], messages: [turn(Role.USER, "One")] });
    expect(keyOf({ system: [text(LONG)], messages: [turn(Role.USER, "Two")] })).toBe(key);
    const tools = [{ kind: { case: "function" as const, value: { name: "f", description: LONG } } }];
    expect(keyOf({ tools, messages: [turn(Role.USER, "One")] })).toBe(
      keyOf({ tools, messages: [turn(Role.USER, "2")] }),
    );
    expect(keyOf({ tools, system: [text(LONG)], messages: [turn(Role.USER, "One")] })).not.toBe(key);
  });

  it("takes instructions that stand among the messages for what they are", () => {
    const chat = (instructions: string, question: string) =>
      keyOf({ messages: [turn(Role.SYSTEM, instructions), turn(Role.DEVELOPER, "Now."), turn(Role.USER, question)] });
    expect(chat(LONG, "One")).toBe(chat(LONG, "Two"));
    // Too short to be kept without the question.
    expect(chat("Be brief.", LONG)).not.toBe(chat("Be brief.", `${LONG}!`));
  });

  it("goes by the caller's own key", () => {
    const key = keyOf({ promptCacheKey: "mine", messages: [turn(Role.USER, LONG)] });
    expect(keyOf({ promptCacheKey: "mine", messages: [turn(Role.USER, `${LONG} other`)] })).toBe(key);
  });

  it("tells projects and models apart", () => {
    const init = { system: [text(LONG)] };
    expect(keyOf(init, "q")).not.toBe(keyOf(init, "p"));
    expect(keyOf(init, "p", { ...model, name: "other" })).not.toBe(keyOf(init));
  });
});

describe("createCacheKey()", () => {
  it("is another one for each prefix and project, and says nothing of either", () => {
    const key = createCacheKey(7, "acme");
    expect(key).toMatch(/^attune-[\w-]{22}$/);
    expect(key).not.toContain("acme");
    expect(new Set([key, createCacheKey(8, "acme"), createCacheKey(7, "other")]).size).toBe(3);
    expect(createCacheKey(7, "acme")).toBe(key);
  });
});
