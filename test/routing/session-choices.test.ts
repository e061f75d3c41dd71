import { describe, expect, it } from "vitest";
import { SessionChoices, sessionSeed } from "../../src/routing/session-choices.ts";

const HOUR_MS = 3_600_000;
const caller = { projectId: "p", keyId: "k" };
const session = { sessionSource: "attune-session", sessionId: "s" };

describe("SessionChoices", () => {
  it("remembers an arm for each base model of a session, and for nobody else's", () => {
    const choices = new SessionChoices(() => 0);
    choices.call(caller, session, "base").keep("good");
    expect(choices.call(caller, session, "base").arm).toBe("good");
    expect(choices.call(caller, session, "other").arm).toBeUndefined();
    expect(choices.call({ ...caller, keyId: "l" }, session, "base").arm).toBeUndefined();
    expect(choices.call(caller, { ...session, sessionSource: "session-id" }, "base").arm).toBeUndefined();
    expect(choices.call(caller, { ...session, sessionId: "t" }, "base").arm).toBeUndefined();
  });

  it("ends a session two hours after its last call", () => {
    let now = 0;
    const choices = new SessionChoices(() => now);
    choices.call(caller, session, "base").keep("good");
    now += 2 * HOUR_MS - 1;
    expect(choices.call(caller, session, "base").arm).toBe("good");
    now += 2 * HOUR_MS - 1;
    expect(choices.call(caller, session, "base").arm).toBe("good");
    now += 2 * HOUR_MS;
    expect(choices.call(caller, session, "base").arm).toBeUndefined();
  });

  it("ends a session after 1,000 calls, whichever models they ask for", () => {
    const choices = new SessionChoices(() => 0);
    choices.call(caller, session, "base").keep("good");
    for (let call = 1; call < 999; call++) choices.call(caller, session, call % 2 === 0 ? "base" : "other");
    expect(choices.call(caller, session, "base").arm).toBe("good");
    expect(choices.call(caller, session, "base").arm).toBeUndefined();
  });

  it("forgets the sessions that were silent longest beyond 50,000, and the bases of one beyond 32", () => {
    let now = 0;
    const choices = new SessionChoices(() => now);
    const kept = { ...session, sessionId: "kept" };
    choices.call(caller, session, "base").keep("good");
    choices.call(caller, kept, "base").keep("good");
    for (let other = 0; other < 49_998; other++) choices.call(caller, { ...session, sessionId: `${other}` }, "base");
    now += 1000;
    // It is put behind the others, and the first one is not.
    expect(choices.call(caller, kept, "base").arm).toBe("good");
    choices.call(caller, { ...session, sessionId: "one more" }, "base");
    expect(choices.call(caller, kept, "base").arm).toBe("good");
    expect(choices.call(caller, session, "base").arm).toBeUndefined();
    for (let base = 0; base < 40; base++) choices.call(caller, kept, `b${base}`).keep("good");
    const known = Array.from({ length: 40 }, (_, base) => choices.call(caller, kept, `b${base}`).arm);
    expect(known.filter((arm) => arm !== undefined)).toHaveLength(31);
  });

  it("draws by session and base model alone, so that all processes draw the same", () => {
    const seed = sessionSeed(caller, session, "base");
    expect(sessionSeed({ ...caller }, { ...session }, "base")).toBe(seed);
    expect(sessionSeed(caller, session, "other")).not.toBe(seed);
    expect(sessionSeed(caller, { ...session, sessionId: "t" }, "base")).not.toBe(seed);
  });
});
