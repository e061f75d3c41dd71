import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { WebSocket } from "@fastify/websocket";
import { describe, expect, it } from "vitest";
import { FrameIntake, readFrameHead } from "../../../src/facade/socket/frame-intake.ts";
import { ErrorReason, InferenceError } from "../../../src/hub/error.ts";
import { frame } from "../../attack/hoard/websocket.ts";

class StubSocket extends EventEmitter {
  writableNeedDrain = false;
  destroyed = false;
  isPaused = false;

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  read(): void {}
}

function setUp(mostBytes = 1_000_000) {
  const [raw, socket] = [new StubSocket(), new EventEmitter()];
  const parsed: Buffer[] = [];
  raw.on("data", (part: Buffer) => parsed.push(part));
  const refused: InferenceError[] = [];
  const counted = { bytes: 0 };
  const count = {
    take(bytes: number) {
      counted.bytes += bytes;
      return counted.bytes > mostBytes ? new InferenceError(ErrorReason.RATE_LIMITED, "too many") : undefined;
    },
    giveBack(bytes: number) {
      counted.bytes -= bytes;
    },
  };
  const intake = new FrameIntake(socket as unknown as WebSocket, raw as unknown as Socket, count, (error) => {
    refused.push(error);
  });
  return { raw, socket, parsed, refused, counted, intake };
}

const text = (parts: readonly Buffer[]): string => Buffer.concat(parts).toString("latin1");

describe("FrameIntake", () => {
  it.each([7, 1000])("hands on what comes, whatever it is cut into (%d bytes)", async (size) => {
    const { raw, parsed, counted } = setUp(10_000_000);
    const bytes = Buffer.concat([frame("{}"), frame("x".repeat(300)), frame("y".repeat(70_000)), frame("{}")]);
    for (let at = 0; at < bytes.length; at += size) raw.emit("data", bytes.subarray(at, at + size));
    await expect.poll(() => text(parsed) === text([bytes])).toBe(true);
    await expect.poll(() => counted.bytes).toBe(0);
    expect(raw.isPaused).toBe(false);
  });

  it("begins no frame, and reads nothing, while the client does not take what was sent to it", async () => {
    const { raw, parsed } = setUp();
    raw.writableNeedDrain = true;
    raw.emit("data", Buffer.concat([frame("a"), frame("b")]));
    await nextTurn();
    expect([parsed, raw.isPaused]).toEqual([[], true]);
    raw.writableNeedDrain = false;
    raw.emit("drain");
    await expect.poll(() => parsed).toEqual([frame("a"), frame("b")]);
    expect(raw.isPaused).toBe(false);
  });

  it("counts what is not whole, and says since when it comes", async () => {
    const { raw, counted, intake } = setUp();
    const whole = frame("x".repeat(1000));
    raw.emit("data", whole.subarray(0, 600));
    await nextTurn();
    expect(counted.bytes).toBeGreaterThanOrEqual(600);
    expect(intake.arrivingSinceMs).toBeDefined();
    raw.emit("data", whole.subarray(600));
    await expect.poll(() => intake.arrivingSinceMs).toBeUndefined();
    expect(counted.bytes).toBe(0);
  });

  it("counts pings between the fragments of a message with it", async () => {
    const { raw, counted, intake } = setUp();
    const [begin, ping, end] = [frame("a"), frame("b"), frame("c")];
    begin[0] = 0x01;
    ping[0] = 0x89;
    end[0] = 0x80;
    raw.emit("data", Buffer.concat([begin, ping]));
    await nextTurn();
    expect(intake.arrivingSinceMs).toBeDefined();
    expect(counted.bytes).toBeGreaterThan(0);
    raw.emit("data", end);
    await expect.poll(() => intake.arrivingSinceMs).toBeUndefined();
    expect(counted.bytes).toBe(0);
  });

  it("refuses more than the count has room for, once, and reads on into nothing", async () => {
    const { raw, parsed, refused, counted } = setUp(1000);
    raw.emit("data", frame("x".repeat(5000)).subarray(0, 2000));
    raw.emit("data", Buffer.alloc(2000));
    await nextTurn();
    expect(refused).toHaveLength(1);
    expect([parsed, counted.bytes, raw.isPaused]).toEqual([[], 0, false]);
  });

  it("parses nothing after the connection has gone, and gives back what it held", async () => {
    const { raw, parsed, counted } = setUp();
    raw.writableNeedDrain = true;
    raw.emit("data", frame("a"));
    raw.destroyed = true;
    raw.emit("close");
    await nextTurn();
    expect([parsed, counted.bytes]).toEqual([[], 0]);
  });

  it("leaves nothing to the parser of what was not read when the connection went", async () => {
    const raw = new Duplex({ read() {}, write() {} });
    raw.on("data", () => {});
    const count = { take: () => undefined, giveBack() {} };
    new FrameIntake(new EventEmitter() as unknown as WebSocket, raw as unknown as Socket, count, () => {});
    raw.pause();
    for (let chunk = 0; chunk < 3; chunk++) raw.push(frame("{}"));
    raw.destroy();
    // The library would parse the whole of it in its own listener.
    const left = await new Promise((resolve) => raw.once("close", () => resolve(raw.readableLength)));
    expect(left).toBe(0);
  });
});

describe("readFrameHead()", () => {
  it.each([
    ["a text of five bytes", [0x81, 0x85], { bytes: 11, opcode: 1, isLast: true }],
    ["a fragment", [0x01, 0x81], { bytes: 7, opcode: 1, isLast: false }],
    ["a ping without a payload", [0x89, 0x80], { bytes: 6, opcode: 9, isLast: true }],
    ["a length of 16 bits", [0x81, 0xfe, 0x01, 0x00], { bytes: 264, opcode: 1, isLast: true }],
    ["a length of 64 bits", [0x81, 0xff, 0, 0, 0, 0, 0, 1, 0, 0], { bytes: 65_550, opcode: 1, isLast: true }],
    ["a frame without a mask", [0x82, 0x05], { bytes: 7, opcode: 2, isLast: true }],
    ["nothing", [], undefined],
    ["one byte", [0x81], undefined],
    ["a part of a length of 16 bits", [0x81, 0xfe, 0x01], undefined],
    ["a part of a length of 64 bits", [0x81, 0xff, 0, 0, 0, 0, 0, 1, 0], undefined],
  ])("reads %s", (_name, bytes, head) => {
    expect(readFrameHead(Buffer.from(bytes))).toEqual(head);
  });
});
