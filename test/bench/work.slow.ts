import { afterAll, beforeAll, expect, it } from "vitest";
import { countWork } from "./count-work.ts";
import { SHAPES } from "./shapes.ts";
import { startTargets, type Targets } from "./targets.ts";
import { WORK_BOUNDS } from "./work-bounds.ts";
import { excessesOf } from "./work-report.ts";

let started: Targets;
beforeAll(async () => {
  started = await startTargets({ engines: ["sqlite"] });
});
afterAll(() => started.stop());

it.each(SHAPES.filter(({ name }) => name in WORK_BOUNDS))("runs no more than its bound: $name", async (shape) => {
  const service = started.targets.find(({ name }) => name === "attune");
  if (service === undefined) throw new Error("the service was not started");
  expect(excessesOf(shape.name, await countWork(service.process, shape))).toEqual([]);
});
