import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTags, withTag } from "../../src/admission/call-tags.ts";

const read = (header?: string, metadata?: Record<string, unknown>, given?: Record<string, string>) =>
  readTags({ header, metadata, given });

describe("readTags()", () => {
  it("reads names and values of the header", () => {
    expect(read("team=search, env=prod,formula=a=b")).toEqual({ team: "search", env: "prod", formula: "a=b" });
    expect(read()).toBeUndefined();
  });

  it("adds those of the message and the texts of the metadata, the header first", () => {
    expect(
      read(
        "team=search",
        { team: "m", size: 3, city: "Graz", session_id: "s", user_id: "u" },
        { team: "g", env: "dev" },
      ),
    ).toEqual({ team: "search", env: "dev", city: "Graz" });
  });

  it.each([
    ["team", "must be names with values: team=search, env=prod"],
    ["=x", "must be names with values: team=search, env=prod"],
    ["", "must be names with values: team=search, env=prod"],
    ["a=", "a tag must have a value of 1 to 200 characters"],
    [`${"n".repeat(65)}=x`, "a tag must have a name of 1 to 64 characters"],
    [`a=${"v".repeat(201)}`, "a tag must have a value of 1 to 200 characters"],
    ["a=1,a=2", "a tag occurs twice"],
    ["__proto__=1", "a tag must not be named __proto__"],
    [Array.from({ length: 17 }, (_, at) => `t${at}=1`).join(","), "must have at most 16 tags, not 17"],
    ["a=b\u202ec", "it has U+202E"],
  ])("refuses %j", (header, problem) => {
    expect(() => read(header)).toThrow(problem);
  });

  it("takes at most sixteen tags, of whatever metadata", () => {
    const metadata = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer()), { maxKeys: 40 });
    fc.assert(
      fc.property(metadata, (given) => {
        const tags = Object.entries(read("a=1", given) ?? {});
        expect(tags.length).toBeLessThanOrEqual(16);
        for (const [name, value] of tags)
          expect([name, value]).toEqual(name === "a" ? ["a", "1"] : [name, given[name]]);
      }),
    );
  });
});

describe("withTag()", () => {
  it("leaves a tag that is there", () => {
    expect(withTag({ a: "1" }, "a", "2")).toEqual({ a: "1" });
    expect(withTag(undefined, "a", "2")).toEqual({ a: "2" });
    expect(withTag(undefined, "", "2")).toBeUndefined();
  });
});
