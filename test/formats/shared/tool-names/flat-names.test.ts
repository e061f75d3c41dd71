import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FlatNames, type NamespacedName } from "../../../../src/formats/shared/tool-names/flat-names.ts";

const none: ReadonlySet<string> = new Set();
const flatten = (tools: readonly NamespacedName[], taken = none, maxLength = 64) => {
  const names = new FlatNames(tools, { taken, maxLength });
  return tools.map((tool) => names.flat(tool));
};
const tool = (namespace: string, name: string): NamespacedName => ({ namespace, name });

describe("FlatNames", () => {
  it("joins a namespace and a name, also where the client has put the joint into the namespace", () => {
    expect(flatten([tool("crm", "find"), tool("mcp__github__", "find")])).toEqual(["crm__find", "mcp__github__find"]);
  });

  // The ends are those of `printf '["crm","find customer",0]' | sha256sum` and so on.
  it("writes what does not fit with a hash, and keeps more of the name than of the namespace", () => {
    const long = tool("a".repeat(60), "search_everything_in_the_whole_archive_and_more_of_it");
    expect(flatten([tool("crm", "find customer"), long])).toEqual([
      "crm__find_customer_1f8b1036",
      `${"a".repeat(17)}__search_everything_in_the_whole_archi_d0d137a3`,
    ]);
    expect(flatten([long], none, 128)).toEqual([`${long.namespace}__${long.name}`]);
  });

  it("tells names apart that would be one, whatever their order", () => {
    const [one, other] = [tool("a", "b"), tool("a__", "b")];
    expect(flatten([one, other])).toEqual(["a__b_32b3c2cb", "a__b_b5184491"]);
    expect(flatten([other, one])).toEqual(["a__b_b5184491", "a__b_32b3c2cb"]);
  });

  it("leaves tools without a namespace their names, also one that looks like a hashed one", () => {
    expect(flatten([tool("a", "b")], new Set(["a__b"]))).toEqual(["a__b_32b3c2cb"]);
    expect(flatten([tool("a", "b")], new Set(["a__b", "a__b_32b3c2cb"]))).toEqual(["a__b_18948164"]);
  });

  it("leads back from each name to its tool, and from no other", () => {
    const part = fc.oneof(
      fc.constantFrom("a", "b", "a__", "__a", "a__b", "_", "ä", "a b", "mcp__x__"),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 90 }),
      fc.stringMatching(/^[a-z_]{40,80}$/),
    );
    const tools = fc.array(fc.record({ namespace: part, name: part }), { maxLength: 40 });
    const plain = fc.array(fc.oneof(part, fc.constantFrom("a__b", "a__a", "a__b_32b3c2cb")), { maxLength: 20 });
    fc.assert(
      fc.property(tools, plain, fc.constantFrom(64, 128), (all, others, maxLength) => {
        const taken = new Set(others);
        const names = new FlatNames(all, { taken, maxLength });
        const seen = new Map<string, string>();
        for (const one of all) {
          const flat = names.flat(one) ?? "";
          expect(flat).toMatch(/^[a-zA-Z0-9_-]+$/);
          expect(flat.length).toBeLessThanOrEqual(maxLength);
          expect(taken.has(flat)).toBe(false);
          expect(names.original(flat)).toEqual(one);
          const key = JSON.stringify([one.namespace, one.name]);
          expect(seen.get(flat) ?? key).toBe(key);
          seen.set(flat, key);
        }
        for (const name of others) expect(names.original(name)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it("keeps the names of tools when tools come and go whose names do not collide with theirs", () => {
    const name = fc.stringMatching(/^[a-z]{1,4}$/);
    const tools = fc.uniqueArray(fc.record({ namespace: name, name }), { selector: (one) => JSON.stringify(one) });
    fc.assert(
      fc.property(tools, tools, (before, later) => {
        const grown = new FlatNames([...later, ...before], { taken: none, maxLength: 64 });
        expect(before.map((one) => grown.flat(one))).toEqual(flatten(before));
      }),
    );
  });
});
