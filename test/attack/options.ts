import { parseArgs } from "node:util";

/** What the command line asks for. */
export interface Options {
  readonly inputs: number;
  readonly seed: number;
  /** Areas to attack; all of them if it is empty. */
  readonly only: readonly string[];
  /** Number of a single input to send. */
  readonly at: number | undefined;
  /** Part of the names of the hoards to run; all have the empty one. */
  readonly hoard: string;
  /** The longest wait for the memory that a hoard took, in milliseconds. */
  readonly backMs: number;
  readonly json: boolean;
  /** Processes that share the service's port. */
  readonly workers: number;
  /** Folder that is given processor profiles of the service's threads. */
  readonly profile: string | undefined;
}

/** Inputs of the short form, which takes two to three minutes on two cores. */
const SHORT = 40_000;

const HELP = (areas: readonly string[]): string => `usage: npm run test:attack -- [options]

Starts a service and sends it what nobody should send: a fuzz of its routes, protocols and upstreams, the same for the
same seed. Only addresses of this machine are used. Ends with a status other than 0 if something was found.

  --inputs N     inputs in all (${SHORT}; the long form is 1000000)
  --seed N       what the inputs are made from (1)
  --only AREA    only this area, several times for several: ${areas.join(", ")}
  --at NUMBER    only the input of this number of the area that --only names: repeats a finding
  --hoard TEXT   of the hoards only those with TEXT in their names
  --back SECONDS the longest wait for the memory that a hoard took to be given back (2)
  --profile DIR  writes processor profiles of the service's threads there at the end, for a stall that nobody can explain
  --workers N    processes that share the service's port (1)
  --json         prints the result as JSON beside the table
  --help
`;

/**
 * Reads the command line. Prints the help or what is wrong with it, and ends the process, where it asks for nothing
 * else.
 */
export function readOptions(args: readonly string[], areas: readonly string[]): Options {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        inputs: { type: "string", default: String(SHORT) },
        seed: { type: "string", default: "1" },
        only: { type: "string", multiple: true, default: [] },
        at: { type: "string" },
        hoard: { type: "string", default: "" },
        back: { type: "string", default: "2" },
        json: { type: "boolean", default: false },
        profile: { type: "string" },
        workers: { type: "string", default: "1" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) return leave(HELP(areas), 0);
    const wrong = values.only.find((name) => !areas.includes(name));
    if (wrong !== undefined) throw new Error(`--only: there is no area '${wrong}': use one of ${areas.join(", ")}`);
    if (values.at !== undefined && values.only.length !== 1) throw new Error("--at needs --only with one area");
    const at = values.at === undefined ? undefined : wholeNumber("--at", values.at);
    return {
      inputs: wholeNumber("--inputs", values.inputs),
      seed: wholeNumber("--seed", values.seed),
      only: values.only,
      at,
      hoard: values.hoard,
      backMs: wholeNumber("--back", values.back) * 1000,
      json: values.json,
      workers: wholeNumber("--workers", values.workers),
      profile: values.profile,
    };
  } catch (error) {
    return leave(`${error instanceof Error ? error.message : String(error)}\n`, 2);
  }
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 0 && text.trim() !== "") return number;
  throw new Error(`${name}: must be a whole number, not '${text}'`);
}

function leave(text: string, status: 0 | 2): never {
  (status === 0 ? process.stdout : process.stderr).write(text);
  process.exit(status);
}
