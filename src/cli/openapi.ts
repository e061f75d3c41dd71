import type { Command } from "commander";
import { print } from "./output.ts";

/** Adds `attune openapi`. */
export function addOpenApiCommand(program: Command): void {
  program
    .command("openapi")
    .description("print the OpenAPI document of the HTTP API")
    .action(async () => {
      const { openApiText } = await import("../openapi/text.ts");
      print(openApiText().trimEnd());
    });
}
