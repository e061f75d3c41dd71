import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWholeProgram } from "../../src/cli/program.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";

let folder: CliFolder;
let program: Command;

beforeAll(async () => {
  folder = createCliFolder();
  program = await createWholeProgram();
});

afterAll(() => folder.remove());

const HELP: readonly (readonly [command: string, says: readonly string[]])[] = [
  [
    "",
    [
      ...[
        "Usage: attune [options] [command]",
        "serve",
        "migrate",
        "keys",
        "users",
        "check",
        "ATTUNE_CONFIG",
        "ATTUNE_PORT",
      ],
      ...[
        "\nRun:\n  serve ",
        "\nAccess and limits:\n  keys ",
        "\nHelp:\n  help [command] ",
        "\nExamples:\n  attune serve\n",
      ],
    ],
  ],
  [
    "serve",
    [
      "Usage: attune serve [options]",
      "migrate the database, then serve",
      "--log-level <level>",
      "--print-secrets",
      "ATTUNE_OWNER_EMAIL",
    ],
  ],
  ["build", ["Usage: attune build [options]", "while an image is built"]],
  [
    "migrate",
    [
      "Usage: attune migrate [options]",
      "create the database or bring it up to date",
      "--from <url>",
      "The source is only read.",
    ],
  ],
  ["keys", ["Usage: attune keys [options] [command]", "create", "update", "rotate", "list", "revoke [options] <key>"]],
  ["quotas", ["Usage: attune quotas [options] [command]", "set", "clear", "in every process"]],
  ["keys create", ["Usage: attune keys create [options]", "--name <name>", "--expires <days>"]],
  ["keys list", ["Usage: attune keys list [options]", "public id"]],
  ["keys revoke", ["Usage: attune keys revoke [options] <key>", "it stops working within a second"]],
  ["users", ["Usage: attune users [options] [command]", "list", "create-owner [options]", "reset [options] <email>"]],
  ["users create-owner", ["Usage: attune users create-owner [options]", "--password-file <file>", "it works once"]],
  ["users reset", ["Usage: attune users reset [options] <email>", "--public-url <url>", "It works once, for a day"]],
  ["retention", ["Usage: attune retention [options]", "--yes", "Without --yes, nothing is changed."]],
  [
    "workloads",
    [
      "Usage: attune workloads [options] [command]",
      "list",
      "freeze",
      "pin",
      "exclude",
      "reset",
      "rebuild",
      "cancel-rebuild",
      "within a second",
    ],
  ],
  ["optimizations", ["Usage: attune optimizations [options] [command]", "list", "off", "on", "within a second"]],
  ["optimizations off", ["Usage: attune optimizations off [options] [names...]", "--project <project>", "cacheMarks"]],
  ["workloads mode", ["Usage: attune workloads mode [options] <mode>", "--project <project>", "--model <model>"]],
  ["workloads rebuild", ["Usage: attune workloads rebuild [options]", "Attune can keep running"]],
  [
    "improve",
    ["Usage: attune improve [options] <model>", "--usd <usd>", "Callers never get these answers", "docs/improve.md"],
  ],
  ["replay", ["Usage: attune replay [options]", "--since <time>", "--priors <file>", "docs/replay.md"]],
  ["feedback", ["Usage: attune feedback [options] <name=value...>", "--tag <name=value>", "ATTUNE_KEY"]],
  ["usage", ["Usage: attune usage [options]", "--group-by <dimensions>"]],
  ["export requests", ["Usage: attune export requests [options]", "--month <month>", "The audit log notes each page."]],
  ["check", ["Usage: attune check [options] [file]", "every mistake with its line"]],
];

const WRONG: readonly (readonly [args: string, message: string])[] = [
  ["dance", "error: unknown command 'dance'"],
  ["keys dance", "error: unknown command 'dance'"],
  ["keys revoke", "error: missing required argument 'key'"],
  ["users reset", "error: missing required argument 'email'"],
  ["keys list --url localhost:8080", "must be an address such as https://attune.example.com"],
  ["feedback passed=true --session a --url localhost", "must be an address such as https://attune.example.com"],
  ["users reset a@b.ch --public-url attune", "must be an address such as https://attune.example.com"],
  ["users create-owner --email a@b.ch", "error: --email and --password-file go together"],
  ["users create-owner now", "error: 'attune users create-owner' doesn't take 'now': leave it out"],
  ["serve --port 80", "error: unknown option '--port'"],
  ["serve --database-wait long", "must be a number of seconds from 0 to 86400"],
  ["serve --log-level loud", "Allowed choices are silent, error, warn, info, debug."],
  ["workloads mode maybe", "must be off, observe, on, default"],
  ["workloads show", "error: missing required argument 'model'"],
  ["replay", "error: required option '--base <model>' not specified"],
  ["replay --data a --base b", "error: unknown option '--data'"],
  ["migrate now", "error: 'attune migrate' doesn't take 'now': leave it out"],
  ["retention now", "error: 'attune retention' doesn't take 'now': leave it out"],
  ["audit-log list", "error: 'attune audit-log' doesn't take 'list': leave it out"],
  ["keys create --expires never", "must be a number of days above 0, and at most 36500"],
  ["keys create --expires 0", "must be a number of days above 0, and at most 36500"],
  ["keys create --expires 1e12", "must be a number of days above 0, and at most 36500"],
];

/** Finds a command by its words after `attune`. */
function find(command: Command, name: string): Command {
  const [first = "", ...rest] = name.split(" ");
  if (first === "") return command;
  const child = command.commands.find((one) => one.name() === first);
  if (child === undefined) throw new Error(`there is no command ${name}`);
  return find(child, rest.join(" "));
}

describe.concurrent("attune", () => {
  it.each(HELP)("help of '%s'", (name, says) => {
    const command = find(program, name);
    const pieces: string[] = [];
    command.configureOutput({ writeOut: (piece) => pieces.push(piece) });
    command.outputHelp();
    const text = pieces.join("");
    for (const part of says) expect(text).toContain(part);
    expect(text).not.toMatch(/default: [[{]/);
    const prose = text.split("\nExamples:")[0] ?? "";
    expect(Math.max(...prose.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(100);
  });

  it("keys create --help", async () => {
    const { status, stdout, stderr } = await folder.run(["keys", "create", "--help"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^Usage: attune keys create \[options\]\n/);
  });

  it.each(WRONG)("%s: says what is wrong, with status 1", async (args, message) => {
    const { status, stdout, stderr } = await folder.run(args.split(" "));
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/\('attune( [a-z-]+)* --help' has details\)/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it("says that its output cannot be written, with status 1", async () => {
    const full = ["sh", "-c", 'exec "$@" > /dev/full', "sh"];
    const { status, stderr } = await folder.start(["openapi"], {}, full).result;
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^attune: standard output cannot be written: ENOSPC.*\n$/),
    ]);
  });

  it("says what no command expects in one line, with status 1, and where with NODE_DEBUG=attune", async () => {
    const failing = ["openapi"];
    // Nothing of a command fails by itself where nobody expects it.
    const fault = "data:text/javascript,JSON.stringify = () => { throw new Error('the test fails'); };";
    const environment = { NODE_OPTIONS: `--import=${fault.replaceAll(" ", "%20")}` };
    const { status, stderr } = await folder.run(failing, environment);
    expect([status, stderr]).toEqual([1, "attune: the test fails; NODE_DEBUG=attune says where\n"]);
    const traced = await folder.run(failing, { ...environment, NODE_DEBUG: "attune" });
    expect(traced.stderr).toMatch(/ATTUNE \d+: Error: the test fails\n\s+at /);
  });

  it("shows its help where no command is given, with status 1", async () => {
    const { status, stderr } = await folder.run([]);
    expect(status).toBe(1);
    expect(stderr).toContain("Usage: attune [options] [command]");
  });

  it("--version", async () => {
    const root = join(import.meta.dirname, "..", "..");
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    expect(await folder.run(["--version"])).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
  });
});
