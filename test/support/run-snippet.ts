import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

const PROGRAMS: Readonly<Record<string, (code: string) => readonly [string, string[]]>> = {
  curl: (code) => ["sh", ["-c", code]],
  Python: (code) => ["python3", ["-c", code]],
  TypeScript: (code) => [process.execPath, ["--no-warnings", "--input-type=module-typescript", "--eval", code]],
};

/** Runs a snippet of the dashboard as a reader would; resolves to what it prints, and rejects if it fails. */
export async function runSnippet(
  language: string,
  code: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const [program, parameters] = PROGRAMS[language]?.(code) ?? ["false", []];
  const { stdout } = await run(program, parameters, { env: { ...process.env, ...environment } });
  return stdout;
}

/** Tells whether this machine has Python, with a module where one is named. */
export function hasPython(module = "sys"): boolean {
  return spawnSync("python3", ["-c", `import ${module}`]).status === 0;
}
