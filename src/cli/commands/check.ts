import { argument, defineRootCommand, flag, optional } from "../command.ts";
import { print } from "../output.ts";

/** `attune check`. */
export const check = defineRootCommand({
  arguments: { file: optional(argument("the file to check, instead of ATTUNE_CONFIG or ./attune.yaml")) },
  options: {
    online: flag("also test the database and every upstream: reachability, key, models, and small requests"),
    strict: flag("also fail on warnings, for pipelines: a missing key, a model without an upstream"),
  },
  examples: ["attune check", "attune check attune.yaml --strict --online"],
  async run({ file, online, strict }) {
    const { checkConfig } = await import("../../config/check-config.ts");
    const environment = file === undefined ? process.env : { ...process.env, ATTUNE_CONFIG: file };
    const { config, lines } = checkConfig(environment, process.cwd());
    for (const line of lines) print(line);
    const { expiryProblem } = await import("../../config/find-tls-mistake.ts");
    const expired = config?.server.tls && expiryProblem(config.server.tls, new Date());
    if (expired !== undefined) print(expired);
    const { listWarnings } = await import("../../config/list-warnings.ts");
    const { length } = strict && config !== undefined ? listWarnings(config) : [];
    if (length > 0) print(`${length} ${length === 1 ? "warning" : "warnings"}, which --strict refuses`);
    if (config === undefined || expired !== undefined || length > 0) process.exitCode = 1;
    if (config !== undefined && online) {
      const { checkOnline } = await import("../check-online.ts");
      if (!(await checkOnline(config, print))) process.exitCode = 1;
    }
  },
});
