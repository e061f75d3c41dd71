import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

const HELP = { help: { type: "boolean", short: "h", default: false } } as const;

type Values<Known extends ParseArgsOptionsConfig> = ReturnType<typeof parseArgs<{ options: Known }>>["values"];

/**
 * The options of a command of this repository. Prints the usage for `--help`, and for an option that the command does
 * not have what is wrong with it as well; the process ends then, with 0 and with 2.
 */
export function readOptions<const Known extends ParseArgsOptionsConfig>(usage: string, known: Known): Values<Known> {
  try {
    const { values } = parseArgs({ options: { ...known, ...HELP } });
    if (!(values as { help?: boolean }).help) return values as Values<Known>;
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}\n`);
    process.exit(2);
  }
}
