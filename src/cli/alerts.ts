import { type Command, InvalidArgumentError } from "commander";

/** Adds `attune alerts`. */
export function addAlertsCommand(program: Command): void {
  const alerts = program.command("alerts").description("show alerts, and test where messages about them go");
  alerts
    .command("list")
    .description("list alerts of all projects, the latest first")
    .option("--open", "only those that are open")
    .option("--limit <count>", "most alerts that are listed", readLimit, 50)
    .option("--json", "print JSON")
    .action(async (options) => (await import("./run-alerts.ts")).runAlertList(options));
  alerts
    .command("test")
    .description("send a test to the destinations of attune.yaml; exits with 1 where one does not take it")
    .option("--destination <name>", "only to this one")
    .action(async (options) => (await import("./run-alerts.ts")).runAlertTest(options));
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 10_000) return limit;
  throw new InvalidArgumentError("must be a whole number from 1 to 10000");
}
