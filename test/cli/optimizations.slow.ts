import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";

let folder: CliFolder;

beforeAll(() => {
  folder = createCliFolder();
});

afterAll(() => folder.remove());

describe("attune optimizations", () => {
  it("switches what is named off for a project, and leaves it to the configuration again", async () => {
    const run = async (...args: string[]) => (await folder.run(["optimizations", ...args])).stdout;
    expect(await run("off", "hedging", "choice")).toBe("default: hedging, choice off\n");
    expect(await run("on", "choice", "--project", "default")).toBe("default: choice as configured\n");
    const listed = await run("list");
    expect(listed).toMatch(/^project default\nNAME +STATE +DESCRIPTION\nchoice +as configured +choose/);
    expect(listed).toMatch(/^hedging +off +ask a second deployment/m);
  });

  it("takes no other names", async () => {
    const { status, stderr } = await folder.run(["optimizations", "off", "everything"]);
    expect(status).toBe(1);
    expect(stderr).toContain(
      "must be of choice, failover, hedging, coalescing, cacheMarks, cacheKeys, flexTier, responseCache, checkedRetry",
    );
  });
});
