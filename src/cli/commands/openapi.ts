import { defineRootCommand } from "../command.ts";
import { print } from "../output.ts";

/** `attune openapi`. */
export const openapi = defineRootCommand({
  async run() {
    const { openApiText } = await import("../../openapi/text.ts");
    print(openApiText().trimEnd());
  },
});
