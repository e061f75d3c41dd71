import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A script that has a client make calls. */
interface ClientScript {
  /** Names the folder of the installation. */
  readonly name: string;
  readonly language: "js" | "python";
  /** What is installed, each at its release. */
  readonly packages: readonly string[];
  /** The folder that has the scripts of each language. */
  readonly scripts: string;
  /** The script and its arguments. */
  readonly command: readonly string[];
}

/** An installation or a script that takes longer is ended. */
const MINUTES = 10;

/**
 * Installs a client in a folder of its own, runs its script there with these variables, and returns what it prints.
 * `ATTUNE_COMPAT_FOLDER` keeps installations for the next run.
 */
export async function runClient(script: ClientScript, own: Readonly<Record<string, string>>): Promise<string> {
  const { name, language, packages, scripts, command } = script;
  const kept = process.env["ATTUNE_COMPAT_FOLDER"];
  const folder = kept === undefined ? mkdtempSync(join(tmpdir(), "attune-compat-")) : join(kept, `${language}-${name}`);
  try {
    cpSync(join(scripts, language), folder, { recursive: true });
    const path = `${dirname(process.execPath)}:${process.env["PATH"]}`;
    // Registries are reached as this machine reaches them.
    const installing = { folder, env: { ...process.env, PATH: path } };
    if (!existsSync(join(folder, language === "js" ? "node_modules" : "venv"))) {
      for (const install of installations(language, packages)) await execute(install, installing);
    }
    const program = language === "js" ? process.execPath : "venv/bin/python";
    const env = { PATH: path, HOME: folder, TMPDIR: folder, ...own };
    return await execute([program, ...command], { folder, env });
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function installations(language: "js" | "python", packages: readonly string[]): readonly (readonly string[])[] {
  if (language === "js") {
    const options = ["--silent", "--no-audit", "--no-fund", "--legacy-peer-deps"];
    return [
      ["npm", "init", "-y"],
      ["npm", "install", ...options, ...packages],
    ];
  }
  return [
    ["python3", "-m", "venv", "venv"],
    ["venv/bin/pip", "install", "--quiet", "--disable-pip-version-check", ...packages],
  ];
}

/** Runs a program and returns what it prints; shows it where it fails. */
async function execute(
  [command = "", ...args]: readonly string[],
  { folder, env }: { readonly folder: string; readonly env: NodeJS.ProcessEnv },
): Promise<string> {
  const child = spawn(command, args, {
    cwd: folder,
    env,
    timeout: MINUTES * 60_000,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  if (code !== 0) console.log(`${command} ${args.join(" ")} ended with ${code}\n${(errors || output).slice(-2000)}`);
  return output;
}
