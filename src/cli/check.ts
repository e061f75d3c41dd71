import type { Command } from "commander";
import { print } from "./output.ts";

/** Adds `attune check`. */
export function addCheckCommand(program: Command): void {
  program
    .command("check")
    .description("check the configuration: list every mistake with its line, or the settings")
    .argument("[file]", "the file to check, instead of ATTUNE_CONFIG or ./attune.yaml")
    .action(async (file: string | undefined) => {
      const { checkConfig } = await import("../config/check-config.ts");
      const environment = file === undefined ? process.env : { ...process.env, ATTUNE_CONFIG: file };
      const { valid, lines } = checkConfig(environment, process.cwd());
      for (const line of lines) print(line);
      if (!valid) process.exitCode = 1;
    });
}
