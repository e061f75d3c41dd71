import { describe, expect, it } from "vitest";
import { createAdmission } from "../../src/admission/admission.ts";
import { ErrorReason } from "../../src/hub/error.ts";

const principal = { keyId: "k", projectId: "p" };
const known = (secret: string) => (secret === "good" ? principal : undefined);
const admit = createAdmission({ authenticate: known });

describe("createAdmission()", () => {
  it.each([
    ["authorization", { authorization: "Bearer good", apiKey: undefined }],
    ["authorization, with spaces", { authorization: "bearer  good ", apiKey: undefined }],
    ["x-api-key", { authorization: undefined, apiKey: "good" }],
    ["both, alike", { authorization: "Bearer good", apiKey: "good" }],
  ])("admits a key in %s at once", (_where, headers) => {
    expect(admit(headers)).toEqual({ principal });
  });

  it.each([
    ["no key", { authorization: undefined, apiKey: undefined }, /no API key came/],
    ["an unknown key", { authorization: "Bearer bad", apiKey: undefined }, /not known, or was revoked/],
    ["another scheme", { authorization: "Basic good", apiKey: undefined }, /must have the form 'Bearer KEY'/],
    ["two keys", { authorization: "Bearer good", apiKey: "bad" }, /different keys/],
  ])("refuses %s", (_what, headers, message) => {
    expect(() => admit(headers)).toThrow(message);
    expect(() => admit(headers)).toThrow(expect.objectContaining({ reason: ErrorReason.UNAUTHENTICATED }));
  });

  it("waits for a database that has to be asked", async () => {
    const slow = createAdmission({ authenticate: async (secret) => known(secret) });
    expect(await slow({ authorization: "Bearer good", apiKey: undefined })).toEqual({ principal });
    await expect(slow({ authorization: "Bearer bad", apiKey: undefined })).rejects.toThrow(/not known/);
  });
});
