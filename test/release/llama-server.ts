import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { vi } from "vitest";

/** llama.cpp's server; `build-llama-server.sh` makes one. */
const PROGRAM = process.env["ATTUNE_LLAMA_SERVER"] ?? "llama-server";

/** The port that it has unless it is told otherwise, where discovery looks for it. */
export const LLAMA_PORT = 8080;
export const LLAMA_URL = `http://127.0.0.1:${LLAMA_PORT}`;

const LIMIT_MS = 120_000;

/** Returns why the server cannot be run here; undefined if it can. */
export async function reasonAgainstLlama(): Promise<string | undefined> {
  if (spawnSync(PROGRAM, ["--version"]).status !== 0)
    return `no ${PROGRAM}: put llama.cpp's server into the path, or its place into ATTUNE_LLAMA_SERVER`;
  if (await isTaken(LLAMA_PORT)) return `port ${LLAMA_PORT}, where discovery looks for it, is taken`;
  return undefined;
}

/** Runs the server with a model; resolves once it is loaded. */
export async function runLlamaServer(model: string, alias: string): Promise<{ close(): Promise<void> }> {
  const args = ["--model", model, "--alias", alias, "--host", "127.0.0.1", "--port", String(LLAMA_PORT)];
  const child = spawn(PROGRAM, [...args, "--threads", "1", "--parallel", "1"], { stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (printed += bytes));
  const isLoaded = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`llama-server has ended: ${printed}`);
    return fetch(`${LLAMA_URL}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  try {
    await vi.waitUntil(isLoaded, { timeout: LIMIT_MS, interval: 100 });
  } catch (thrown) {
    await close(child);
    throw thrown;
  }
  return { close: () => close(child) };
}

async function close(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", () => resolve(false)).once("connect", () => resolve(true));
    socket.once("connect", () => socket.destroy());
  });
}
