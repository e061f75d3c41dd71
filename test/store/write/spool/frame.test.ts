import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  applyMask,
  encodeFrame,
  HEADER_BYTES,
  MAGIC,
  maskAgainst,
  readFrames,
} from "../../../../src/store/write/spool/frame.ts";

const ALL = { frames: Number.MAX_SAFE_INTEGER, isComplete: true };

function frameOf(...parts: string[]): Buffer {
  return encodeFrame(parts.map((part) => Buffer.from(part)));
}

function texts(bytes: Buffer, limits = ALL): string[] {
  return readFrames(bytes, limits).frames.map(({ payload }) => payload.toString());
}

/** Payloads; some have the magic in them, or whole frames. */
const payloads = fc.array(
  fc.oneof(
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    fc.string({ maxLength: 10 }).map((text) => Buffer.concat([Buffer.from(text), MAGIC, Buffer.from(text)])),
    fc.string({ maxLength: 10 }).map((text) => rawFrame(Buffer.from(text))),
  ),
  { maxLength: 12 },
);

/** The bytes of a frame that a caller could have made up. */
function rawFrame(payload: Buffer): Buffer {
  return encodeFrame([payload]);
}

describe("encodeFrame()", () => {
  it("writes magic, checksum, length, mask and payload", () => {
    // The checksum is what Python's zlib.crc32() says of 05000000, 00000000 and "hello".
    expect(frameOf("he", "llo").toString("hex")).toBe("ff417474756e65320aa469e2050000000000000068656c6c6f");
  });

  it("writes an empty payload", () => {
    expect(readFrames(frameOf(), ALL)).toEqual({
      frames: [{ payload: Buffer.alloc(0), end: 20 }],
      end: 20,
      brokenBytes: 0,
    });
  });

  it.each([
    ["in one part", [Buffer.concat([Buffer.from("to "), MAGIC, Buffer.from(" or not")])]],
    ["over two parts", [MAGIC.subarray(0, 3), MAGIC.subarray(3)]],
    ["over eight parts", [...MAGIC].map((byte) => Buffer.of(byte))],
    ["over a part that is empty", [MAGIC.subarray(0, 4), Buffer.alloc(0), MAGIC.subarray(4)]],
  ])("keeps the magic out of the payload: %s", (_, parts) => {
    const frame = encodeFrame(parts);
    expect(frame.lastIndexOf(MAGIC)).toBe(0);
    expect(readFrames(frame, ALL).frames.map(({ payload }) => payload)).toEqual([Buffer.concat(parts)]);
  });
});

describe("readFrames()", () => {
  it("tells where each frame ends", () => {
    const { frames, end, brokenBytes } = readFrames(Buffer.concat([frameOf("one"), frameOf("three")]), ALL);
    expect(frames.map((frame) => [frame.payload.toString(), frame.end])).toEqual([
      ["one", 23],
      ["three", 48],
    ]);
    expect({ end, brokenBytes }).toEqual({ end: 48, brokenBytes: 0 });
  });

  it("reads no more frames than it is told", () => {
    const bytes = Buffer.concat([frameOf("one"), frameOf("two"), frameOf("three")]);
    expect(readFrames(bytes, { frames: 2, isComplete: true })).toMatchObject({ end: 46, brokenBytes: 0 });
  });

  it.each([0, 1, 7, 8, 12, 19, 20, 22])("waits for the rest of a frame of which there are %d bytes", (length) => {
    const bytes = Buffer.concat([frameOf("one"), frameOf("two").subarray(0, length)]);
    expect(readFrames(bytes, { frames: 9, isComplete: false })).toMatchObject({ end: 23, brokenBytes: 0 });
    expect(readFrames(bytes, ALL)).toMatchObject({ end: 23 + length, brokenBytes: length });
  });

  it.each([
    ["magic", 1],
    ["checksum", 9],
    ["length", 13],
    ["mask", 17],
    ["payload", 21],
  ])("passes over a frame whose %s is damaged", (_, at) => {
    const damaged = frameOf("two");
    damaged[at] = (damaged[at] ?? 0) ^ 0x10;
    const bytes = Buffer.concat([frameOf("one"), damaged, frameOf("three")]);
    expect(texts(bytes)).toEqual(["one", "three"]);
    expect(readFrames(bytes, ALL).brokenBytes).toBe(23);
  });

  it("never takes for a frame what a caller sent, also where the frame around it is damaged", () => {
    const forged = rawFrame(Buffer.from("forged"));
    const around = encodeFrame([Buffer.from("prompt: "), forged]);
    around[17] = (around[17] ?? 0) ^ 1;
    expect(texts(Buffer.concat([frameOf("one"), around, frameOf("two")]))).toEqual(["one", "two"]);
  });

  it("gives back any payloads", () => {
    fc.assert(
      fc.property(payloads, (list) => {
        const bytes = Buffer.concat(list.map(rawFrame));
        const { frames, end, brokenBytes } = readFrames(bytes, ALL);
        expect(frames.map(({ payload }) => payload.toString("hex"))).toEqual(list.map((one) => one.toString("hex")));
        expect({ end, brokenBytes }).toEqual({ end: bytes.length, brokenBytes: 0 });
      }),
    );
  });

  it("gives back every frame before and after any damage of one place", () => {
    fc.assert(
      fc.property(
        payloads,
        fc.nat(),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 255 }),
        (list, place, length, turn) => {
          const frames = list.map(rawFrame);
          const bytes = Buffer.concat(frames);
          const from = bytes.length === 0 ? 0 : place % bytes.length;
          const to = Math.min(bytes.length, from + length);
          for (let at = from; at < to; at++) bytes[at] = (bytes[at] ?? 0) ^ turn;
          let begin = 0;
          const whole = list.filter((_, index) => {
            const end = begin + (frames[index]?.length ?? 0);
            const isWhole = end <= from || begin >= to;
            begin = end;
            return isWhole;
          });
          const read = readFrames(bytes, ALL);
          expect(read.frames.map(({ payload }) => payload.toString("hex"))).toEqual(
            whole.map((one) => one.toString("hex")),
          );
          const kept = whole.reduce((sum, { length }) => sum + HEADER_BYTES + length, 0);
          expect(read.brokenBytes).toBe(bytes.length - kept);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("gives back every frame before a cut at any place", () => {
    fc.assert(
      fc.property(payloads, fc.nat(), (list, place) => {
        const bytes = Buffer.concat(list.map(rawFrame));
        const cut = bytes.subarray(0, place % (bytes.length + 1));
        let end = 0;
        const whole = list.filter((payload) => {
          end += HEADER_BYTES + payload.length;
          return end <= cut.length;
        });
        expect(readFrames(cut, ALL).frames.map(({ payload }) => payload.toString("hex"))).toEqual(
          whole.map((one) => one.toString("hex")),
        );
      }),
    );
  });

  it("reads the same in any parts", () => {
    fc.assert(
      fc.property(payloads, fc.infiniteStream(fc.integer({ min: 1, max: 50 })), (list, steps) => {
        const bytes = Buffer.concat([Buffer.from("broken At"), ...list.map(rawFrame), Buffer.from("AtR")]);
        const read: string[] = [];
        let [at, reach, brokenBytes] = [0, 0, 0];
        while (at < bytes.length) {
          reach = Math.min(bytes.length, reach + (steps.next().value ?? 1));
          const part = readFrames(bytes.subarray(at, reach), { frames: 2, isComplete: reach === bytes.length });
          read.push(...part.frames.map(({ payload }) => payload.toString("hex")));
          at += part.end;
          brokenBytes += part.brokenBytes;
        }
        expect(read).toEqual(list.map((payload) => payload.toString("hex")));
        expect(brokenBytes).toBe("broken At".length + "AtR".length);
      }),
    );
  });
});

const PATTERN = Buffer.from("AtR1");

describe("applyMask()", () => {
  it("turns the bits of each byte, four after four, and back", () => {
    const bytes = Buffer.from("000000000000", "hex");
    expect(applyMask(bytes, 0x0403_02ff).toString("hex")).toBe("ff020304ff02");
    expect(applyMask(bytes, 0x0403_02ff).toString("hex")).toBe("000000000000");
  });
});

describe("maskAgainst()", () => {
  it("leaves alone what the pattern is not in", () => {
    const bytes = Buffer.from("AtR AtR2");
    expect(maskAgainst(bytes, PATTERN)).toBe(0);
    expect(bytes.toString()).toBe("AtR AtR2");
  });

  it("rids anything of the pattern, and what it returns brings it back", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (before, after) => {
        const bytes = Buffer.concat([before, PATTERN, after]);
        const mask = maskAgainst(bytes, PATTERN);
        expect(mask).not.toBe(0);
        expect(bytes.includes(PATTERN)).toBe(false);
        expect(applyMask(bytes, mask)).toEqual(Buffer.concat([before, PATTERN, after]));
      }),
    );
  });
});
