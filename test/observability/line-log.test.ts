import { pino } from "pino";
import { expect, it } from "vitest";
import { createLineLog } from "../../src/observability/line-log.ts";

it("writes the lines that its log would write, by the log's level", () => {
  const lines: string[] = [];
  const log = pino(
    { level: "info", base: { worker: 1 }, timestamp: () => ',"time":5' },
    { write: (line: string) => void lines.push(line) },
  );
  const facts = { requestId: 'a"b\\', count: 1.5, gone: undefined, isFine: true };
  const lineLog = createLineLog(log);
  lineLog.info(facts, "request");
  lineLog.debug(facts, "request");
  log.info({ ...facts }, "request");
  expect(lines).toHaveLength(2);
  const [own, other] = lines.map((line) => JSON.parse(line) as object);
  expect(own).toEqual(other);
  expect(lines[0]?.endsWith("}\n")).toBe(true);
});
