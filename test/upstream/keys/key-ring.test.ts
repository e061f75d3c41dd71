import { describe, expect, it } from "vitest";
import { ErrorReason, InferenceError } from "../../../src/hub/error.ts";
import { type KeyChange, KeyRing } from "../../../src/upstream/keys/key-ring.ts";
import { KeyedCall } from "../../../src/upstream/keys/keyed-call.ts";

const USE = { model: "m", prefixKey: undefined };

function setUp(secrets = ["one", "two"]) {
  let nowMs = 1000;
  const changes: KeyChange[] = [];
  const onChange = (change: KeyChange): void => void changes.push(change);
  const ring = new KeyRing({ secrets, headersOf: (secret) => ({ key: secret }), onChange, now: () => nowMs });
  const begin = () => {
    const call = KeyedCall.begin(ring, USE);
    if (call === undefined) throw new Error("there is no key");
    return call;
  };
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { ring, changes, begin, pass };
}

const refusal = (upstreamStatus = 401) =>
  new InferenceError(ErrorReason.UPSTREAM_UNAUTHENTICATED, "refused", { upstreamStatus });

describe("KeyRing", () => {
  it("has one call find out whether a refused key is taken again, after twice the time each time", () => {
    const { ring, changes, begin, pass } = setUp();
    const first = begin();
    expect(first.headers).toEqual({ key: "one" });
    expect(first.failed(refusal())).toBe(true);
    expect(first.headers).toEqual({ key: "two" });
    first.answered({});
    first.end();
    pass(59_000);
    expect(begin().headers).toEqual({ key: "two" });
    pass(1000);
    const trial = begin();
    expect(trial.headers).toEqual({ key: "one" });
    expect(begin().headers).toEqual({ key: "two" });
    expect(trial.failed(refusal())).toBe(true);
    pass(120_000);
    const second = begin();
    expect(second.headers).toEqual({ key: "one" });
    second.answered({});
    expect(ring.report()[0]?.state).toBe("ready");
    expect(changes).toEqual([
      { kind: "refused", key: "apiKeys[0]", status: 401, forMs: 60_000 },
      { kind: "refused", key: "apiKeys[0]", status: 401, forMs: 120_000 },
      { kind: "taken", key: "apiKeys[0]" },
    ]);
  });

  it("counts the refusals of calls that were under way together once", () => {
    const { changes, begin, pass } = setUp(["one"]);
    const calls = [begin(), begin(), begin()];
    pass(5);
    for (const call of calls) expect(call.failed(refusal())).toBe(false);
    expect(changes).toHaveLength(1);
  });

  it("takes no answer to an earlier call for one to a key that is refused since", () => {
    const { ring, changes, begin, pass } = setUp(["one"]);
    const [slow, refused] = [begin(), begin()];
    pass(5);
    refused.failed(refusal());
    slow.answered({});
    expect(ring.report()[0]?.state).toBe("refused");
    expect(changes.map(({ kind }) => kind)).toEqual(["refused"]);
  });

  it("tries a call by three keys at most", () => {
    const { begin } = setUp(["one", "two", "three", "four"]);
    const call = begin();
    expect([1, 2, 3].map(() => call.failed(refusal()))).toEqual([true, true, false]);
  });

  it("gives back the place of a call, however it ends", () => {
    const { ring, begin } = setUp();
    const [answered, failed, left] = [begin(), begin(), begin()];
    answered.answered({});
    answered.end();
    answered.end();
    failed.failed(new InferenceError(ErrorReason.UPSTREAM_ERROR, "broken", { upstreamStatus: 500 }));
    failed.end();
    left.failed(new InferenceError(ErrorReason.CANCELED, "gone"));
    expect(ring.report().map(({ inFlight }) => inFlight)).toEqual([0, 0]);
  });
});
