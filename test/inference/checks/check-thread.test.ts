import { afterAll, describe, expect, it } from "vitest";
import { CheckThread } from "../../../src/inference/checks/check-thread.ts";
import { threadMs } from "../../support/thread-ms.ts";
import { watchTurns } from "../../support/watch-turns.ts";

const deaths: unknown[] = [];
const thread = new CheckThread((error) => deaths.push(error));
afterAll(() => thread.close());

const PROJECT = { projectId: "project" };

const object = (text: string, schema?: unknown) => ({
  text,
  schemaJson: schema === undefined ? undefined : typeof schema === "string" ? schema : JSON.stringify(schema),
  root: "any" as const,
});
const judge = async (text: string, schema?: unknown) => (await thread.judge([object(text, schema)], PROJECT))[0];
/** On a busy machine the time that a judgement may take may have been others': then it is asked for again. */
const expectJudged = (text: string, schema?: unknown) => expect.poll(() => judge(text, schema));

describe("CheckThread", () => {
  it("judges the texts of an answer in their order", async () => {
    const number = { type: "number" };
    const texts = [object("1", number), object('"1"', number), object("{", number), object("{}")];
    await expect.poll(() => thread.judge(texts, PROJECT)).toEqual(["fits", "mismatch", "invalid", "fits"]);
  });

  it.each<[string, unknown, string, string]>([
    ["draft 2020-12", { prefixItems: [{ type: "integer" }], items: false }, "[1]", "[1,2]"],
    [
      "draft 7 by its name",
      { $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "integer" }], additionalItems: false },
      "[1]",
      "[1,2]",
    ],
    [
      "references",
      {
        $ref: "#/$defs/a",
        $defs: { a: { type: "object", properties: { a: { $ref: "#/$defs/a" } }, additionalProperties: false } },
      },
      '{"a":{"a":{}}}',
      '{"a":{"b":1}}',
    ],
    ["a boolean", true, "1", "{"],
    ["words that no draft has", { type: "string", "x-order": 1, format: "no-such" }, '"a"', "1"],
    ["an identifier that others have too", { $id: "https://example.com/s", const: 1 }, "1", "2"],
    ["the same identifier again", { $id: "https://example.com/s", const: 2 }, "2", "1"],
  ])("knows %s", async (_, schema, right, wrong) => {
    await expectJudged(right, schema).toBe("fits");
    await expectJudged(wrong, schema).toMatch(/^(mismatch|invalid)$/);
  });

  it.each<[string, unknown]>([
    ["no JSON", "{"],
    ["no schema", "[]"],
    ["a type that there is not", { type: "thing" }],
    ["a reference that leads elsewhere", { $ref: "https://example.com/other.json" }],
    ["a reference to nothing", { $ref: "#/$defs/none" }],
    ["a pattern that is none", { type: "string", pattern: "(" }],
    ["a reference to itself alone", { $ref: "#" }],
    ["a schema that is too large", { enum: ["x".repeat(300_000)] }],
  ])("does not judge by %s", async (_, schema) => {
    expect(await judge('"x"', schema)).toBeUndefined();
  });

  it("does not judge what is too large", async () => {
    expect(await judge(JSON.stringify("x".repeat(2 ** 20)), { type: "string" })).toBeUndefined();
    const large = ["x", "y", "z"].map((letter) => object(JSON.stringify(letter.repeat(900_000))));
    await expect.poll(() => thread.judge(large, PROJECT)).toEqual(["fits", "fits", undefined]);
  });

  it("counts a text once that is held against several schemas", async () => {
    const large = JSON.stringify("x".repeat(900_000));
    const schemas = [{ type: "string" }, { type: "number" }, { minLength: 900_000 }, { maxLength: 899_999 }];
    const judged = () =>
      thread.judge(
        schemas.map((schema) => object(large, schema)),
        PROJECT,
      );
    await expect.poll(judged).toEqual(["fits", "mismatch", "fits", "mismatch"]);
  });

  it("holds nobody up with many calls of a tool whose schema is large", async () => {
    const schema = JSON.stringify({ type: "object", description: "x".repeat(250_000) });
    const calls = Array.from({ length: 64 }, (_, n) => object(`{"n":${n}}`, schema));
    const heldMs: number[] = [];
    for (let round = 0; round < 5; round++) {
      const startMs = threadMs();
      const judged = thread.judge(calls, PROJECT);
      heldMs.push(threadMs() - startMs);
      await judged;
    }
    await expect.poll(() => thread.judge(calls, PROJECT)).toEqual(calls.map(() => "fits"));
    // To say the schema once for each call takes 25 ms and more, every time.
    expect(Math.min(...heldMs)).toBeLessThan(10);
  });

  it("gives up what takes too long without holding up anybody, and leaves it alone from then on", async () => {
    const hostile = { type: "string", pattern: "^(a+)+$" };
    await judge("1");
    const turns = watchTurns();
    const startMs = performance.now();
    expect(await judge(JSON.stringify(`${"a".repeat(40)}!`), hostile)).toBeUndefined();
    expect(performance.now() - startMs).toBeLessThan(20_000);
    expect(turns()).toBeLessThan(250);
    const isLeftAlone = async (): Promise<boolean> => {
      await judge(JSON.stringify(`${"a".repeat(40)}!`), hostile);
      return (await judge('"a"', hostile)) === undefined;
    };
    await expect.poll(isLeftAlone).toBe(true);
    await expectJudged("1", { type: "number" }).toBe("fits");
  });

  it("judges by a schema that took too long for another project", async () => {
    const schema = { type: "string", pattern: "^(b+)+$" };
    const judgeFor = async (text: string, projectId: string) =>
      (await thread.judge([object(JSON.stringify(text), schema)], { projectId }))[0];
    const isLeftAlone = async () => {
      await judgeFor(`${"b".repeat(40)}!`, "slow");
      return (await judgeFor("b", "slow")) === undefined;
    };
    await expect.poll(isLeftAlone, { timeout: 30_000 }).toBe(true);
    await expect.poll(() => judgeFor("b", "quick")).toBe("fits");
  }, 60_000);

  it("survives values that go deeper than a stack does", async () => {
    const deep = { $ref: "#/$defs/a", $defs: { a: { type: "array", items: { $ref: "#/$defs/a" } } } };
    expect(await judge("[".repeat(100_000) + "]".repeat(100_000), deep)).toBeUndefined();
    await expectJudged("[[]]", deep).toBe("fits");
  });

  it("survives schemas that take too much memory", async () => {
    // Each level has the one below it twice, so that whoever writes them out for the validator needs a million of them.
    const levels = Array.from({ length: 22 }, (_, level) => [
      `l${level}`,
      level === 0
        ? { type: "integer" }
        : { anyOf: Array.from({ length: 2 }, () => ({ $ref: `#/$defs/l${level - 1}` })) },
    ]);
    const bomb = { $ref: "#/$defs/l21", $defs: Object.fromEntries(levels) };
    const startMs = performance.now();
    await judge('"x"', bomb);
    expect(performance.now() - startMs).toBeLessThan(40_000);
    await expectJudged("1", { type: "number" }).toBe("fits");
  });
});

describe("a thread that has ended", () => {
  it("judges nothing, and rejects nothing", async () => {
    const ended = new CheckThread(() => {});
    await ended.close();
    expect(await ended.judge([object("1")], PROJECT)).toEqual([undefined]);
  });
});
