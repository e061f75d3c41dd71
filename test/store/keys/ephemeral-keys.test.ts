import { describe, expect, it } from "vitest";
import { EphemeralKeys } from "../../../src/store/keys/open-keys.ts";

const KNOWN = { keyId: "known", projectId: "a" };
const PERSON = { keyId: "playground", projectId: "b" };

describe("EphemeralKeys", () => {
  it("knows what it issued until it is revoked, and leaves all else to the authenticator behind it", async () => {
    const keys = new EphemeralKeys({
      authenticate: async (secret) => (secret === "att_known" ? KNOWN : undefined),
      findKey: (keyId) => (keyId === "known" ? KNOWN : undefined),
    });
    const [first, second] = [keys.issue(PERSON), keys.issue(PERSON)];
    expect(first.secret).toMatch(/^ephemeral_[\w-]{43}$/);
    expect(first.secret).not.toBe(second.secret);
    expect(await keys.authenticate(first.secret)).toEqual(PERSON);
    expect(await keys.authenticate("att_known")).toEqual(KNOWN);
    expect([keys.findKey("known"), keys.findKey("playground")]).toEqual([KNOWN, undefined]);
    first.revoke();
    expect(await keys.authenticate(first.secret)).toBeUndefined();
    expect(await keys.authenticate(second.secret)).toEqual(PERSON);
  });
});
