// Runs on the system's Node 20: plain JavaScript, no dependencies.

import { spawn } from "node:child_process";

/** Runs a program with a Node, hands signals on, and exits as it does. */
export function execNode(node, args, env) {
  // From Node 22.15 on, and not on Windows, this process becomes the other one: else it stands by, with 65 MB.
  if (process.execve !== undefined && process.platform !== "win32") {
    // It is the only warning there can be here, and nothing that a user could change.
    process.removeAllListeners("warning");
    process.execve(node, [node, ...args], env);
  }
  const child = spawn(node, args, { stdio: "inherit", env });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    if (signal !== null) process.exit(128 + 15);
    process.exit(code ?? 1);
  });
}
