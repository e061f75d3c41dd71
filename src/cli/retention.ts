import { type Command, Option } from "commander";
import { addJsonObject, type JsonOptions } from "./json-option.ts";

const HELP = `
Without --confirm, nothing is changed. The service deletes expired data every day. It asks first when one run would
delete more than retention.confirmAbovePercent of a kind of data, as after retention was shortened, or where its clock
is weeks ahead of the newest record. The log, GET /readyz and the metric attune_retention_waiting say so.

Check the time and the amounts before you confirm: deletion cannot be undone.`;

/** Adds `attune retention`. */
export function addRetentionCommand(program: Command): void {
  const retention = program
    .command("retention")
    .description("show expired data, and which of it needs confirmation")
    .addOption(new Option("--confirm", "delete all expired data now").conflicts("json"));
  addJsonObject(retention, ["now", "newestRecordAt", "data"])
    .addHelpText("after", HELP)
    .action(async (options: JsonOptions & { confirm?: true }) => {
      const { runRetention } = await import("./run-retention.ts");
      await runRetention(options);
    });
}
