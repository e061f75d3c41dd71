import { describe, expect, it } from "vitest";
import { generateKey, isKey } from "../../../src/store/keys/key-format.ts";

describe("generateKey()", () => {
  it("makes keys of the form att_<public id>_<secret>, each a new one", () => {
    const keys = Array.from({ length: 200 }, generateKey);
    for (const { key, publicId } of keys) {
      expect(key).toMatch(/^att_[0-9a-z]{12}_[0-9A-Za-z]{43}$/);
      expect(key.startsWith(`att_${publicId}_`)).toBe(true);
      expect(isKey(key)).toBe(true);
    }
    expect(new Set(keys.map(({ publicId }) => publicId)).size).toBe(200);
  });

  it("uses the whole alphabet", () => {
    const secrets = Array.from({ length: 200 }, () => generateKey().key.slice(17)).join("");
    expect(new Set(secrets).size).toBe(62);
  });
});

describe("isKey()", () => {
  const secret = "0123456789abcdefghijABCDEFGHIJ01";
  it.each([
    ["", false],
    [`att_abcdefghijkl_${secret}`, true],
    [`att_abcdefghijkl_${secret.slice(1)}`, false],
    [`att_abcdefghijkL_${secret}`, false],
    [`att_abcdefghijk_${secret}`, false],
    [`sk_abcdefghijkl_${secret}`, false],
    [`att_abcdefghijkl_${secret}\n`, false],
    [`att_abcdefghijkl_${secret}' or '1'='1`, false],
    [`att_abcdefghijkl_${"a".repeat(129)}`, false],
  ])("tells of '%s': %s", (text, expected) => {
    expect(isKey(text)).toBe(expected);
  });
});
