import { create } from "@bufbuild/protobuf";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type GenerateResponse, GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ResponseCache } from "../../../src/inference/coalescing/response-cache.ts";

const QUERY = { key: "k", projectId: "p", sinceMs: 0 };
const ANSWER = create(GenerateResponseSchema, { id: "i" });

function setUp(find: () => Promise<GenerateResponse | undefined>) {
  let looks = 0;
  const counting = () => {
    looks += 1;
    return find();
  };
  const answers = new ResponseCache({ find: counting }, { waitMs: 20, atOnce: 2, restMs: 60 });
  return { find: () => answers.find(QUERY), looks: () => looks };
}

afterEach(() => {
  vi.useRealTimers();
});

describe("ResponseCache", () => {
  it("finds what the store has", async () => {
    expect(await setUp(async () => ANSWER).find()).toBe(ANSWER);
    expect(await setUp(async () => undefined).find()).toBeUndefined();
  });

  it.each([
    ["is late", () => new Promise<never>(() => {})],
    ["fails", () => Promise.reject(new Error("away"))],
  ])("goes on without a store that %s, and leaves it alone for a while", async (_what, find) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const { find: look, looks } = setUp(find);
    const first = look();
    await vi.advanceTimersByTimeAsync(20);
    expect(await first).toBeUndefined();
    expect(await look()).toBeUndefined();
    expect(looks()).toBe(1);
    vi.advanceTimersByTime(60);
    void look();
    expect(looks()).toBe(2);
  });

  it("has no more look at once than it may", async () => {
    const { promise, resolve } = Promise.withResolvers<GenerateResponse>();
    const { find, looks } = setUp(() => promise);
    const first = [find(), find()];
    expect(await find()).toBeUndefined();
    expect(looks()).toBe(2);
    resolve(ANSWER);
    expect(await Promise.all(first)).toEqual([ANSWER, ANSWER]);
    expect(await find()).toBe(ANSWER);
  });
});
