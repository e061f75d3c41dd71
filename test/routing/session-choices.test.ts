import { describe, expect, it } from "vitest";
import { type ChosenArm, SessionChoices, sessionSeed } from "../../src/routing/session-choices.ts";

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

/** Two processes that tell each other at once, and read what `recorded` has. */
function twoProcesses(recorded: () => Promise<string | undefined> = async () => undefined, heardSinceMs = 0) {
  const told: ChosenArm[] = [];
  const listeners: SessionChoices[] = [];
  const now = { ms: 0 };
  let reads = 0;
  const start = (): SessionChoices => {
    const peers = {
      heardSinceMs,
      tell(chosen: ChosenArm) {
        told.push(chosen);
        for (const other of listeners) if (other !== own) other.hear(chosen);
      },
      async read() {
        reads += 1;
        return await recorded();
      },
    };
    const own: SessionChoices = new SessionChoices(() => now.ms, peers);
    listeners.push(own);
    return own;
  };
  return { one: start(), other: start(), told, now, reads: () => reads };
}

describe("SessionChoices of several processes", () => {
  it("have one choice for a session, told once", () => {
    const { one, other, told } = twoProcesses();
    const first = one.call(caller, session, "base");
    first.keep("good");
    first.keep("good");
    expect(other.call(caller, session, "base").arm).toBe("good");
    other.call(caller, session, "base").keep("good");
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({ keyId: "k", ...session, base: "base", arm: "good", isFirst: true });
  });

  it("take what one of them decided anew", () => {
    const { one, other } = twoProcesses();
    one.call(caller, session, "base").keep("good");
    other.call(caller, session, "base").keep("base");
    expect(one.call(caller, session, "base").arm).toBe("base");
  });

  it("agree on the earlier of two first choices, in whatever order they are heard", () => {
    const facts = { keyId: "k", ...session, base: "base", isFirst: true };
    const [early, late] = [
      { ...facts, arm: "good", atMs: 1000 },
      { ...facts, arm: "other", atMs: 1001 },
    ];
    for (const order of [
      [early, late],
      [late, early],
    ]) {
      const choices = new SessionChoices(() => 0);
      for (const chosen of order) choices.hear(chosen);
      expect(choices.call(caller, session, "base").arm).toBe("good");
    }
  });

  it("read once what was recorded of a session that they have not heard of, however many calls ask", async () => {
    const { one, reads } = twoProcesses(async () => "good");
    await Promise.all([1, 2, 3].map(() => one.recall(caller, session, "base")));
    expect(reads()).toBe(1);
    expect(one.recall(caller, session, "base")).toBeUndefined();
    expect(one.call(caller, session, "base").arm).toBe("good");
  });

  it("read nothing once they have heard the others for two hours", () => {
    const { one, now, reads } = twoProcesses();
    now.ms = 2 * HOUR_MS;
    expect(one.recall(caller, session, "base")).toBeUndefined();
    expect(reads()).toBe(0);
  });

  it("draw where the database does not answer", async () => {
    const failing = twoProcesses(async () => await Promise.reject(new Error("away")));
    await failing.one.recall(caller, session, "base");
    expect(failing.one.call(caller, session, "base").arm).toBeUndefined();
    const silent = twoProcesses(() => new Promise(() => {}));
    await silent.one.recall(caller, session, "base");
    expect(silent.one.call(caller, session, "base").arm).toBeUndefined();
  });
});
