import { type ChildProcess, spawn } from "node:child_process";

/** A program in a process of its own. */
export interface RunningModule {
  readonly child: ChildProcess;
  /** Resolves to the next line that it prints. Rejects if it ends instead. */
  nextLine(): Promise<string>;
  /** Resolves to its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
}

/** Runs the text of a module; `limits` are options of the shell's ulimit, such as `-f 8`. */
export function runModule(text: string, limits?: string): RunningModule {
  const node = [process.execPath, "--no-warnings", "--input-type=module-typescript", "--eval", text];
  const command = limits === undefined ? node : ["sh", "-c", `ulimit ${limits}; exec "$@"`, "sh", ...node];
  const [program = "", ...args] = command;
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  const ended = new Promise<number | string>((done) =>
    child.once("close", (code, signal) => done(code ?? signal ?? "")),
  );
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const whole = (rest + chunk).split("\n");
    rest = whole.pop() ?? "";
    for (const line of whole) {
      const wake = waiting.shift();
      if (wake === undefined) lines.push(line);
      else wake(line);
    }
  });
  return {
    child,
    ended,
    nextLine: () =>
      new Promise((resolve, reject) => {
        const line = lines.shift();
        if (line !== undefined) return resolve(line);
        waiting.push(resolve);
        void ended.then((code) => reject(new Error(`the program ended with ${code}`)));
      }),
  };
}
