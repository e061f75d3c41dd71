import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Admission, createAdmission } from "../../src/admission/admission.ts";
import { createFeedbackAdmission } from "../../src/admission/feedback-admission.ts";
import { encodeFeedbackToken, feedbackSigner } from "../../src/admission/feedback-token.ts";
import { TokenRates } from "../../src/admission/token-rates.ts";
import { ErrorReason } from "../../src/hub/error.ts";
import { TEST_KEY } from "../support/test-signer.ts";

const NOW = new Date("2027-01-31T00:00:00Z").getTime();
const MANY = { tokenRequests: 1000, answerRequests: 1000, addressRequests: 1000 };
const OWNER = { keyId: "k", projectId: "p" };
const TARGET = { inferenceId: "", attempt: null, sessionId: "run-7" };

const signer = feedbackSigner(TEST_KEY);
const authenticate = (secret: string) => (secret === "good" ? OWNER : undefined);
const admit = createAdmission({ authenticate });
const admitFeedback = createFeedbackAdmission({
  authenticator: {
    findKey(keyId) {
      if (keyId === "slow") return Promise.resolve({ ...OWNER, permissions: ["read:project"] as const });
      if (keyId === "paused") return { rejected: "paused_key" as const, owner: OWNER };
      if (keyId === "revoked") return { rejected: "revoked_key" as const, owner: OWNER };
      return keyId === "k" ? OWNER : undefined;
    },
  },
  signer,
  admit,
  rates: new TokenRates(MANY),
});

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}`, apiKey: undefined });
const tokenOf = (keyId: string, expiresAtMs = NOW + 1) =>
  bearer(encodeFeedbackToken(signer, { keyId, target: TARGET, expiresAtMs }));

function admitted(headers: Parameters<typeof admitFeedback>[0]): Admission {
  const admission = admitFeedback(headers);
  if (admission instanceof Promise) throw new Error("it waits for the key");
  return admission;
}

describe("createFeedbackAdmission()", () => {
  beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"], now: NOW }));
  afterAll(() => void vi.useRealTimers());

  it("admits keys as everywhere", () => {
    expect(admitFeedback(bearer("good"))).toEqual({ principal: OWNER });
    expect(() => admitFeedback(bearer("bad"))).toThrow(/not known/);
  });

  it("admits a token as its key, without the permissions of that, for its target alone", async () => {
    expect(admitFeedback(tokenOf("k"))).toEqual({ principal: { ...OWNER, feedbackOn: TARGET } });
    expect(await admitFeedback(tokenOf("slow"))).toEqual({ principal: { ...OWNER, feedbackOn: TARGET } });
  });

  it("knows who uses a token by a keyed hash of the network, which keeps no address", () => {
    const raterAt = (address: string) => admitted({ ...tokenOf("k"), address }).principal.feedbackOn?.rater;
    expect(raterAt("203.0.113.7")).toMatch(/^address:[A-Za-z0-9_-]{16}$/);
    expect(raterAt("::ffff:203.0.113.7")).toBe(raterAt("203.0.113.7"));
    expect(raterAt("2001:db8::1")).toBe(raterAt("2001:db8::2"));
    expect(new Set(["203.0.113.7", "203.0.113.8", "2001:db8::1"].map(raterAt)).size).toBe(3);
  });

  it.each([
    ["a forged token", bearer("attfb_W10.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"), /isn't from this service/, undefined],
    ["an expired token", tokenOf("k", NOW), /has expired/, { rejected: "expired_key", owner: OWNER }],
    ["one of a revoked key", tokenOf("revoked"), /was revoked/, { rejected: "revoked_key", owner: OWNER }],
    ["one of a key that is gone", tokenOf("gone"), /was revoked/, undefined],
  ])("refuses %s, and names the remedy", (_what, headers, message, rejectedKey) => {
    expect(() => admitFeedback(headers)).toThrow(message);
    expect(() => admitFeedback(headers)).toThrow(/POST \/v1\/feedback\/tokens/);
    expect(() => admitFeedback(headers)).toThrow(
      expect.objectContaining({ reason: ErrorReason.UNAUTHENTICATED, facts: { rejectedKey } }),
    );
  });

  it("refuses one of a paused key, which needs no other token", () => {
    const facts = { rejectedKey: { rejected: "paused_key", owner: OWNER } };
    const error = expect.objectContaining({ reason: ErrorReason.PERMISSION_DENIED, facts });
    expect(() => admitFeedback(tokenOf("paused"))).toThrow(error);
  });

  it("is the only step that admits tokens", () => {
    expect(() => admit(tokenOf("k"))).toThrow(expect.objectContaining({ reason: ErrorReason.PERMISSION_DENIED }));
  });
});
