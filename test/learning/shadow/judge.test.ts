import { describe, expect, it } from "vitest";
import { readGrade } from "../../../src/learning/shadow/judge.ts";

describe("readGrade()", () => {
  it.each([
    ['{"satisfactory": true, "reason": "It is right."}', true],
    ['\n {"reason": "No.", "satisfactory": false} \n', false],
    ['```json\n{"satisfactory": true, "reason": ""}\n```', true],
    ['```\n{"satisfactory": false}\n```', false],
  ])("reads %j as %s", (reply, isGood) => {
    expect(readGrade(reply)).toBe(isGood);
  });

  it.each([
    "",
    "true",
    "null",
    "[true]",
    "satisfactory",
    'Here you are: {"satisfactory": true}',
    '{"satisfactory": true} {"satisfactory": true}',
    '{"satisfactory": "true"}',
    '{"satisfactory": 1}',
    '{"satisfactory": true, "reason": 7}',
    '{"Satisfactory": true}',
  ])("reads no grade from %j", (reply) => {
    expect(readGrade(reply)).toBeUndefined();
  });
});
