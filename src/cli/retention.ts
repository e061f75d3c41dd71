import type { Command } from "commander";

const HELP = `
Without --confirm, nothing is changed. The service deletes by itself what grows too old from day to day. It asks first where one
run would delete more than retention.confirmAbovePercent of a kind of data, as after retention was shortened, or where its clock
is weeks ahead of all that the database knows. The log, GET /readyz and the metric attune_retention_waiting say so.

Look at the time and at what is older before you confirm: what is deleted does not come back.`;

/** Adds `attune retention`. */
export function addRetentionCommand(program: Command): void {
  program
    .command("retention")
    .description("show what is too old by the configured retention, and what of it waits to be confirmed")
    .option("--confirm", "delete all of it now, however much it is")
    .addHelpText("after", HELP)
    .action(async ({ confirm }: { confirm?: true }) => {
      const { runRetention } = await import("./run-retention.ts");
      await runRetention(confirm === true);
    });
}
