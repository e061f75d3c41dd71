import { expect, it } from "vitest";
import { createHangup } from "../../src/lib/hangup.ts";

it.each([
  ["a terminal that was closed", true, false, "end"],
  ["a terminal that is open", true, true, "reload"],
  ["no terminal from the beginning", false, false, "reload"],
])("tells what SIGHUP means: %s", (_name, before, after, called) => {
  const calls: string[] = [];
  let isOpen = before;
  const take = (name: string) => () => void calls.push(name);
  const hangUp = createHangup({ end: take("end"), reload: take("reload") }, () => isOpen);
  isOpen = after;
  hangUp();
  expect(calls).toEqual([called]);
});
