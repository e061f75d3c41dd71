import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const FOLDER = join(import.meta.dirname, "..", "..", "packaging");

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

it.runIf(hasPromtool)("the alert rules are valid, fire in the made-up outage, and are silent in a calm hour", () => {
  for (const args of [
    ["check", "rules", "prometheus-alerts.yaml"],
    ["test", "rules", "prometheus-alerts.test.yaml"],
  ]) {
    const { status, stdout, stderr } = spawnSync("promtool", args, { cwd: FOLDER, encoding: "utf8" });
    expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: "" });
  }
});
