import { expect, it } from "vitest";
import { createCliFolder } from "../support/run-cli.ts";

const DEMO = new URL("../../scripts/demo.ts", import.meta.url).pathname;

it("plays customers, their thumbs and trials, and ends", { timeout: 120_000 }, async () => {
  const folder = createCliFolder(DEMO);
  try {
    const { status, stdout, stderr } = await folder.run(["--calls", "200", "--seconds", "0", "--feedback", "0.5"]);
    // The first one after a change of the sources builds them.
    expect(stderr.replace(/^(Building|The dashboard is built) .*\n/gm, "")).toBe("");
    expect(status).toBe(0);
    expect(stdout).toMatch(/right answers +[▁-█]+ +\d+% to \d+%/);
    expect(stdout).toContain("200 of 200 answers");
    expect(stdout).toMatch(/answering now: .*standard \d+%/);
  } finally {
    await folder.remove();
  }
});

it("names an option that it cannot read", { timeout: 60_000 }, async () => {
  const folder = createCliFolder(DEMO);
  try {
    const { status, stderr } = await folder.run(["--feedback", "2"]);
    expect([status, stderr]).toEqual([2, "--feedback: '2' is not a number from 0 to 1\n"]);
  } finally {
    await folder.remove();
  }
});
