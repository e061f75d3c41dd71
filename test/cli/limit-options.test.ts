import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { buildRoot } from "../../src/cli/build-command.ts";
import { defineRootCommand } from "../../src/cli/command.ts";
import { LIMIT_OPTIONS, readChange } from "../../src/cli/limit-options.ts";
import { OWNER_OPTIONS } from "../../src/cli/quota-owner.ts";

/** Parses options as a command does; a wrong one throws with its complaint. */
function parse(args: readonly string[]) {
  const built = new Command().exitOverride().configureOutput({ writeErr() {} });
  buildRoot(built, defineRootCommand({ options: { ...OWNER_OPTIONS, ...LIMIT_OPTIONS }, run() {} }));
  return built.parse(args, { from: "user" }).opts();
}

describe("readChange()", () => {
  it("reads each limit, and takes away those that are none", () => {
    const counts = ["--rpm", "60", "--input-tpm", "1000", "--output-tpm", "none", "--concurrent", "0"];
    const money = ["--usd-day", "1.5", "--usd-month", "none", "--usd-total", "0.000000001"];
    expect(readChange(parse([...counts, ...money, "--models", "a, b,a"]))).toEqual({
      requestsPerMinute: 60,
      inputTokensPerMinute: 1000,
      outputTokensPerMinute: null,
      concurrentCalls: 0,
      costNanosPerDay: 1_500_000_000,
      costNanosPerMonth: null,
      costNanosTotal: 1,
      models: ["a", "b"],
    });
    expect(readChange(parse(["--models", "none"]))).toEqual({ models: null });
    expect(readChange(parse(["--key", "2b7c"]))).toBeUndefined();
  });

  it.each([
    [["--rpm", "1.5"], "must be a whole number from 0 to 1000000000000, or none"],
    [["--usd-day", "0.0000000001"], "must be an amount in USD from 0 to 1000000, with at most nine decimals, or none"],
    [["--models", "a,,b"], "must be names with commas between, or none"],
    [["--each", "tag"], "Allowed choices are project, key, end-user"],
  ])("complains of %j", (args, complaint) => {
    expect(() => parse(args)).toThrow(complaint);
  });
});
