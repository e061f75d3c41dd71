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

it("records a month, has other models asked for it, compares answers, and asks on", { timeout: 240_000 }, async () => {
  const folder = createCliFolder(DEMO);
  try {
    const { status, stdout } = await folder.run(["--improve", "--calls", "300", "--feedback", "0.5"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ {2}\d+ answers rated\. .*Answered by: standard 100%$/m);
    expect(stdout).toContain("$ attune improve standard --usd 2");
    // Whichever way it ends, it has asked others.
    expect(stdout).toMatch(/\b[1-9]\d* of 300 requests asked, [1-9]\d* answers checked/);
    expect(stdout).toMatch(/Of 25 pairs, the other model's answer alone was right in \d+, and base's in \d\./);
    expect(stdout).toContain("$ attune improve standard --report");
    expect(stdout).toMatch(/The next 300 customers, who rate nothing:\n.* right, .*Answered by: .*swift \d+%/);
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
