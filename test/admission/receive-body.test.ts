import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { type AnswerOf, createBodyReceiver, type ReceiveLimits } from "../../src/admission/receive-body.ts";
import { ErrorReason } from "../../src/hub/error.ts";
import type { HeldBytes } from "../../src/hub/held-bytes.ts";
import { usedBytes } from "../support/used-bytes.ts";

const LIMITS: ReceiveLimits = { bodyBytes: 100, receivingBytes: 400, projectShare: 0.75 };

/** A key of a project of its own, unless the project is given. */
const user = (keyId = "k", projectId = keyId) => ({ keyId, projectId });

function request(headers: Record<string, string> = {}) {
  return Object.assign(new PassThrough({ highWaterMark: 1024 }), { headers });
}

/** An answer that has not ended. */
const open = () => ({ closing: new EventEmitter() });

/** Lets a stream that was written to hand on what it has. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("createBodyReceiver()", () => {
  it("takes a body in small pieces, and refuses one of nothing but them", async () => {
    const receive = createBodyReceiver({ ...LIMITS, bodyBytes: 2 ** 20, receivingBytes: 2 ** 24 });
    const long = request();
    const received = receive(long, user("k"), open());
    for (let piece = 0; piece < 250; piece++) long.write(String(piece % 10));
    long.write("x".repeat(70_000));
    for (let piece = 0; piece < 50; piece++) long.write("y");
    long.end();
    expect(String(await received)).toBe("0123456789".repeat(25) + "x".repeat(70_000) + "y".repeat(50));
    const tiny = request();
    const refused = receive(tiny, user("k"), open());
    for (let piece = 0; piece < 257; piece++) tiny.write("x");
    await expect(refused).rejects.toMatchObject({
      reason: ErrorReason.INVALID_REQUEST,
      message: expect.stringContaining("too many small pieces"),
    });
    await expect.poll(() => tiny.destroyed).toBe(true);
  });

  it("reads a body that comes in pieces", async () => {
    const receive = createBodyReceiver(LIMITS);
    const body = request();
    const received = receive(body, user("k"), open());
    body.write("ab");
    await turn();
    body.end("cd");
    expect((await received).toString()).toBe("abcd");
  });

  it("reads an empty body", async () => {
    const body = request();
    body.end();
    expect(await createBodyReceiver(LIMITS)(body, user("k"), open())).toHaveLength(0);
  });

  it.each([
    ["by its length", { "content-length": "101" }, ""],
    ["by its bytes", {}, "x".repeat(101)],
  ])("refuses a body that is too large %s", async (_how, headers, text) => {
    const body = request(headers);
    if (text !== "") body.write(text);
    await expect(createBodyReceiver(LIMITS)(body, user("k"), open())).rejects.toMatchObject({
      reason: ErrorReason.REQUEST_TOO_LARGE,
      message: "the request's body is larger than the 100 bytes that this service accepts",
    });
  });

  it("keeps nothing of a body that it refuses while the refusal is not read", async () => {
    const bodyBytes = 2 ** 20;
    const receive = createBodyReceiver({ ...LIMITS, bodyBytes, receivingBytes: 2 ** 30 });
    const before = usedBytes().buffers;
    const requests = Array.from({ length: 32 }, () => request());
    const refused = requests.map(async (each) => {
      const error = receive(each, user("k"), open()).catch((thrown: unknown) => thrown);
      for (let written = 0; written < bodyBytes; written += 65_536) each.write(Buffer.alloc(65_536, 1));
      await turn();
      each.write("x");
      return await error;
    });
    expect(await Promise.all(refused)).toMatchObject(requests.map(() => ({ reason: ErrorReason.REQUEST_TOO_LARGE })));
    expect(usedBytes().buffers - before).toBeLessThan(8 * bodyBytes);
    expect(requests.some(({ destroyed }) => destroyed)).toBe(false);
  });

  it("gives one key a part of the bytes, and the others the rest", async () => {
    const receive = createBodyReceiver(LIMITS);
    const part = request();
    const first = receive(part, user("greedy"), open());
    part.write("x".repeat(90));
    await turn();
    const second = request();
    const refused = receive(second, user("greedy"), open());
    second.write("x".repeat(11));
    await expect(refused).rejects.toMatchObject({ reason: ErrorReason.RATE_LIMITED, facts: { retryAfterMs: 1000 } });
    const others = request();
    const other = receive(others, user("other"), open());
    others.write("x".repeat(90));
    await turn();
    const fillers = ["more", "most"].map((key) => {
      const body = request();
      const received = receive(body, user(key), open());
      body.write("x".repeat(99));
      return { body, received };
    });
    await turn();
    const third = request();
    const crowded = receive(third, user("third"), open());
    third.write("x".repeat(30));
    await expect(crowded).rejects.toMatchObject({ reason: ErrorReason.UNAVAILABLE, facts: { retryAfterMs: 1000 } });
    part.end();
    others.end();
    expect([(await first).length, (await other).length]).toEqual([90, 90]);
    for (const { body, received } of fillers) {
      body.end();
      expect(await received).toHaveLength(99);
    }
  });

  it("takes so many bodies of a key at a time, however small they are", async () => {
    const receive = createBodyReceiver(LIMITS);
    const begin = (keyId: string) => {
      const body = request();
      return { body, received: receive(body, user(keyId), open()) };
    };
    const bodies = Array.from({ length: 1024 }, () => begin("k"));
    await expect(begin("k").received).rejects.toMatchObject({
      reason: ErrorReason.RATE_LIMITED,
      message:
        "this key has too many requests whose bodies are still to come: send each body faster, or fewer at a time",
      facts: { retryAfterMs: 1000 },
    });
    const others = [begin("other")];
    bodies[0]?.body.destroy();
    await expect(bodies[0]?.received).rejects.toMatchObject({ reason: ErrorReason.CANCELED });
    bodies[1]?.body.end();
    await bodies[1]?.received;
    others.push(begin("k"), begin("k"));
    await expect(begin("k").received).rejects.toMatchObject({ reason: ErrorReason.RATE_LIMITED });
    for (const { body } of [...bodies.slice(2), ...others]) body.end();
    await Promise.all([...bodies.slice(2), ...others].map(({ received }) => received));
  });

  it("gives the keys of one project a part of the bytes together, however many there are", async () => {
    const receive = createBodyReceiver(LIMITS);
    const begin = (keyId: string) => {
      const body = request();
      return { body, received: receive(body, user(keyId, "many"), open()) };
    };
    const bodies = ["a", "b", "c", "d"].map(begin);
    const last = begin("e");
    for (const { body } of bodies) body.write("x".repeat(75));
    await turn();
    last.body.write("x");
    await expect(last.received).rejects.toMatchObject({
      reason: ErrorReason.RATE_LIMITED,
      message:
        "the keys of this project together have too many bytes of requests that are not answered yet: send fewer large requests at a time",
      facts: { retryAfterMs: 1000 },
    });
    const other = request();
    const received = receive(other, user("other"), open());
    other.end("x".repeat(50));
    expect(await received).toHaveLength(50);
    for (const { body } of bodies) body.end();
    for (const { received } of bodies) expect(await received).toHaveLength(75);
  });

  it("has all its bytes back once bodies have come, were refused, or were left", async () => {
    const receive = createBodyReceiver(LIMITS);
    for (let round = 0; round < 20; round++) {
      const [whole, large, left] = [request(), request(), request()];
      const received = receive(whole, user("k"), open());
      whole.end("x".repeat(60));
      expect(await received).toHaveLength(60);
      const refused = receive(large, user("k"), open());
      large.write("x".repeat(101));
      await expect(refused).rejects.toMatchObject({ reason: ErrorReason.REQUEST_TOO_LARGE });
      const broken = receive(left, user("k"), open());
      left.write("x".repeat(60));
      await turn();
      left.destroy();
      await expect(broken).rejects.toMatchObject({ reason: ErrorReason.CANCELED });
    }
  });

  it("counts a body until its answer closes, or as what it is kept as", async () => {
    const receive = createBodyReceiver({ ...LIMITS, bodyBytes: 90_000, receivingBytes: 400_000 });
    const closing = new EventEmitter();
    let held: HeldBytes | undefined;
    const send = async (bytes: number, answer: AnswerOf) => {
      const body = request();
      body.end("x".repeat(bytes));
      return (await receive(body, user("k"), answer)).length;
    };
    const onHeld = (of: HeldBytes): void => {
      held = of;
    };
    expect(await send(90_000, { closing, onHeld })).toBe(90_000);
    await expect(send(20_000, open())).rejects.toMatchObject({ reason: ErrorReason.RATE_LIMITED });
    held?.resize(60_000);
    const second = open();
    expect(await send(20_000, second)).toBe(20_000);
    second.closing.emit("close");
    closing.emit("close");
    held?.resize(80_000);
    expect(await send(90_000, open())).toBe(90_000);
  });

  it("counts small bodies only while they come", async () => {
    const receive = createBodyReceiver({ ...LIMITS, bodyBytes: 16_384, receivingBytes: 65_536 });
    for (let count = 0; count < 10; count++) {
      const body = request();
      body.end("x".repeat(16_384));
      expect(await receive(body, user("k"), open())).toHaveLength(16_384);
    }
  });

  it.each([
    ["that stops coming", { idleMs: 30, totalMs: 10_000 }, /no byte of it came for 0.03 s/, 0],
    ["that comes forever", { idleMs: 10_000, totalMs: 60 }, /it was not whole after 0.06 s/, 5],
  ])("refuses a body %s", async (_what, limits, message, everyMs) => {
    const body = request();
    const received = createBodyReceiver({ ...LIMITS, ...limits })(body, user("k"), open());
    body.write("x");
    const drip = everyMs === 0 ? undefined : setInterval(() => body.write("x"), everyMs);
    await expect(received).rejects.toThrow(message);
    clearInterval(drip);
  });
});
