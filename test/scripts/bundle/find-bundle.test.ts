import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { listUnused, markUsed } from "../../../scripts/bundle/find-bundle.mjs";

const place = mkdtempSync(join(tmpdir(), "attune-bundles-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

it("lists old bundles to delete, but none that a running service was started from", () => {
  const folders = [1, 2, 3, 4, 5].map((at) => join(place, `bundle-${at}`));
  for (const folder of folders) mkdirSync(folder);
  const [first = "", second = ""] = folders;
  markUsed(first);
  // Of a process that has ended: no process has this id.
  writeFileSync(join(second, `used-by-${2 ** 30}`), "");
  for (const [at, folder] of folders.entries()) utimesSync(folder, at, at);
  expect(existsSync(join(first, `used-by-${process.pid}`))).toBe(true);
  expect(listUnused(place, 2)).toEqual([folders[2], second]);
});

it("takes a folder that cannot be written to for one that others look after", () => {
  expect(() => markUsed(join(place, "none"))).not.toThrow();
});
