import { pino } from "pino";
import { expect, it } from "vitest";
import { renameOwn } from "../../src/observability/log.ts";
import { LINE_MEMBERS } from "../../src/observability/request-log.ts";

it("has no member of a line twice, whatever facts are called", () => {
  const lines: string[] = [];
  const log = pino({ formatters: { log: renameOwn } }, { write: (line: string) => void lines.push(line) });
  log.warn({ time: 5, level: 6, msg: "own", pid: 7, upstream: "a" }, "message");
  const names = [...(lines[0] ?? "").matchAll(/"(\w+)":/g)].map(([, name]) => name);
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    level: 40,
    msg: "message",
    upstream: "a",
    factTime: 5,
    factLevel: 6,
    factMsg: "own",
    factPid: 7,
  });
});

it("leaves nothing to rename in the line of a request, which is written without it", () => {
  expect(renameOwn(LINE_MEMBERS)).toBe(LINE_MEMBERS);
});
