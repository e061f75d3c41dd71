import { execFile, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { stringify } from "yaml";
import { JUDGE, MODELS } from "./scripted-models.ts";

/** A service of the demonstration's own. */
export interface AttuneProcess {
  readonly url: string;
  readonly key: string;
  /** Address and password of its dashboard's account. */
  readonly account: string;
  /** Runs a command of the command line on it, and shows its output; throws if it fails. */
  run(args: readonly string[]): Promise<void>;
  /** Creates an admin key that may read and change workloads. */
  createAdminKey(): Promise<string>;
  /** Ends it and deletes its data. */
  stop(): Promise<void>;
}

/** The `learning` of an attune.yaml. */
type LearningConfig = Readonly<Record<string, unknown>>;

/** Another model is tried for a tenth of the questions, and answers once it proves better. */
const TRIALS: LearningConfig = {
  mode: "on",
  unit: "request",
  shadow: { share: 0.1, judge: JUDGE.name, usdPerDay: 5 },
};
/** Nobody is tried before somebody asks for an improvement. */
export const RECORDING: LearningConfig = {
  mode: "on",
  unit: "request",
  explore: "shadow",
  shadow: { share: 0, judge: JUDGE.name },
};

const PROGRAM = join(import.meta.dirname, "..", "attune.mjs");
const READY_MS = 60_000;
const STOP_MS = 10_000;
const EMAIL = "demo@example.com";

/** Starts the service as `npm start` does, with a database in a temporary folder. Throws with its log if it ends. */
export async function startAttune({
  modelsUrl,
  port,
  learning,
}: {
  readonly modelsUrl: string;
  readonly port: number;
  readonly learning?: LearningConfig;
}): Promise<AttuneProcess> {
  // Its progress is shown, and its time is no part of READY_MS: a slow machine takes minutes.
  const { status } = spawnSync(process.execPath, [PROGRAM, "build"], { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error("Attune could not be built");
  const folder = mkdtempSync(join(tmpdir(), "attune-demo-"));
  const [key, password] = [`att_demo00000000_${randomBytes(24).toString("hex")}`, randomBytes(9).toString("base64url")];
  const config = join(folder, "attune.yaml");
  writeFileSync(config, demoConfig(modelsUrl, learning));
  writeFileSync(join(folder, "password"), password, { mode: 0o600 });
  const freePort = port === 0 ? await findPort() : port;
  const url = `http://127.0.0.1:${freePort}`;
  const log: Buffer[] = [];
  const env = {
    ...process.env,
    ATTUNE_CONFIG: config,
    ATTUNE_PORT: String(freePort),
    ATTUNE_DATABASE_URL: `sqlite:${join(folder, "attune.db")}`,
    ATTUNE_BOOTSTRAP_KEY: key,
    ATTUNE_OWNER_EMAIL: EMAIL,
    ATTUNE_OWNER_PASSWORD_FILE: join(folder, "password"),
  };
  const child = spawn(process.execPath, [PROGRAM, "serve"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own: Ctrl-C on the terminal ends the demonstration, which ends the service.
    detached: true,
    env,
  });
  for (const output of [child.stdout, child.stderr]) output.on("data", (chunk: Buffer) => keepLast(log, chunk));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const run = async (args: readonly string[]): Promise<void> => {
    const command = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: folder,
      stdio: ["ignore", "inherit", "inherit"],
      env,
    });
    const status = await new Promise((resolve) => command.once("exit", resolve));
    if (status !== 0) throw new Error(`attune ${args.join(" ")} failed`);
  };
  const createAdminKey = async (): Promise<string> => {
    const args = ["admin-keys", "create", "--name", "colleague", "--allow", "workloads:read", "workloads:write"];
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...args], { cwd: folder, env });
    return stdout.trim();
  };
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await Promise.race([ended, wait(STOP_MS, undefined, { ref: false })]);
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilReady(url, () => child.exitCode === null);
  } catch (thrown) {
    await stop();
    throw new Error(`the service did not start:\n${Buffer.concat(log).toString("utf8")}`, { cause: thrown });
  }
  return { url, key, account: `${EMAIL}, password ${password}`, run, createAdminKey, stop };
}

/** Returns the text of an attune.yaml that serves the scripted models, and learns which of them answers best. */
export function demoConfig(modelsUrl: string, learning = TRIALS): string {
  const models = MODELS.map(({ name, price }) => ({
    name,
    family: "chat",
    contextWindow: 200_000,
    maxOutputTokens: 4096,
    price,
    deployments: [{ upstream: "scripted", model: name }],
  }));
  return stringify({
    upstreams: { scripted: { kind: "openai-chat", baseUrl: modelsUrl, apiKey: "scripted" } },
    learning,
    models,
  });
}

async function untilReady(url: string, isRunning: () => boolean): Promise<void> {
  const deadline = performance.now() + READY_MS;
  while (performance.now() < deadline && isRunning()) {
    if (
      await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await wait(50);
  }
  throw new Error(isRunning() ? `it was not ready in ${READY_MS / 1000} s` : "it ended");
}

/** Keeps some of the newest output, which is shown if the service does not start. */
function keepLast(log: Buffer[], chunk: Buffer): void {
  log.push(chunk);
  if (log.length > 100) log.shift();
}

async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
