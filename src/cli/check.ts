import type { Command } from "commander";
import { print } from "./output.ts";

/** Adds `attune check`. */
export function addCheckCommand(program: Command): void {
  program
    .command("check")
    .description("check the configuration: list every mistake with its line, or the settings")
    .argument("[file]", "the file to check, instead of ATTUNE_CONFIG or ./attune.yaml")
    .option("--online", "ask the database and every upstream too: whether they answer, take the key, have the models")
    .action(async (file: string | undefined, { online }: { readonly online?: true }) => {
      const { checkConfig } = await import("../config/check-config.ts");
      const environment = file === undefined ? process.env : { ...process.env, ATTUNE_CONFIG: file };
      const { config, lines } = checkConfig(environment, process.cwd());
      for (const line of lines) print(line);
      const { expiryProblem } = await import("../config/find-tls-mistake.ts");
      const expired = config?.server.tls && expiryProblem(config.server.tls, new Date());
      if (expired !== undefined) print(expired);
      if (config === undefined || expired !== undefined) process.exitCode = 1;
      if (config !== undefined && online) {
        const { checkOnline } = await import("./check-online.ts");
        if (!(await checkOnline(config, print))) process.exitCode = 1;
      }
    });
}
