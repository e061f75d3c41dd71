import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../../src/store/database/orm.ts";

describe("makeFolder()", () => {
  it("makes a folder and those above it, and leaves one alone that exists", () => {
    const root = mkdtempSync(join(tmpdir(), "attune-folder-"));
    const folder = join(root, "a", "b");
    makeFolder(folder);
    makeFolder(folder);
    expect(existsSync(folder)).toBe(true);
    writeFileSync(join(root, "file"), "");
    expect(() => makeFolder(join(root, "file", "below"))).toThrow(/ENOTDIR|EEXIST/);
    rmSync(root, { recursive: true });
  });

  it.runIf(existsSync("/proc"))("fails where nothing can be made", () => {
    expect(() => makeFolder("/proc/none/such")).toThrow("ENOENT");
  });
});
