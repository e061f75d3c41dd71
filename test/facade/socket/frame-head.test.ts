import { describe, expect, it } from "vitest";
import { readFrameHead } from "../../../src/facade/socket/frame-head.ts";

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
