import type { Command } from "commander";
import { checkConfig } from "../config/check-config.ts";
import { print } from "./output.ts";

/** Adds `attune check`. */
export function addCheckCommand(program: Command): void {
  program
    .command("check")
    .description("check the configuration: every mistake with its line, or what is configured")
    .argument("[file]", "the file to check, in place of ATTUNE_CONFIG or ./attune.yaml")
    .action((file: string | undefined) => {
      const environment = file === undefined ? process.env : { ...process.env, ATTUNE_CONFIG: file };
      const { valid, lines } = checkConfig(environment, process.cwd());
      for (const line of lines) print(line);
      if (!valid) process.exitCode = 1;
    });
}
