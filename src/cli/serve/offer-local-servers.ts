import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { hasProviderKey } from "../../config/defaults.ts";
import { DEFAULT_FILE } from "../../config/load-config.ts";
import type { LocalServer } from "../../imports/local/import-local.ts";
import { fail, tell } from "../output.ts";

/** The time for which a person is waited for. */
const ANSWER_MS = 20_000;

interface OfferOptions {
  /** True if whoever starts the service has asked for what runs on this host. */
  readonly isWanted: boolean;
  readonly environment?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Asks a person, where there is one. */
  readonly ask?: () => Promise<boolean>;
  /** Looks for the servers. */
  readonly find?: () => Promise<readonly LocalServer[]>;
}

/**
 * Looks, where nothing is configured, for servers of models on this host, and writes an `attune.yaml` of what they have
 * where that is wanted. Elsewhere it says what it found.
 */
export async function offerLocalServers({
  isWanted,
  environment = process.env,
  cwd = process.cwd(),
  ask = askOnTerminal,
  find,
}: OfferOptions): Promise<void> {
  const file = resolve(cwd, DEFAULT_FILE);
  const isConfigured = Boolean(environment["ATTUNE_CONFIG"]) || existsSync(file);
  if (isConfigured && isWanted) fail("--discover is for a start without a configuration: see 'attune import local'");
  if (isConfigured || (!isWanted && hasProviderKey(environment))) return;
  const { describeServer, findLocalServers, importLocal } = await import("../../imports/local/import-local.ts");
  const servers = await (find ?? findLocalServers)();
  if (servers.length === 0) {
    if (isWanted) tell("No server of models answers on its usual port of this host: the sandbox serves.");
    return;
  }
  for (const server of servers) tell(`Found ${describeServer(server)}`);
  if (!isWanted && !(await ask())) {
    tell("The option --discover serves them: npm start -- --discover");
    return;
  }
  const { yaml, notes } = importLocal(servers);
  await writeFile(file, yaml, { flag: "wx" }).catch((thrown: Error) => fail(`${file}: ${thrown.message}`));
  for (const { path, text } of notes) tell(`${path}: ${text}`);
  tell(`Wrote ${file}.`);
}

async function askOnTerminal(): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await lines.question("Serve them? [y/N] ", { signal: AbortSignal.timeout(ANSWER_MS) });
    return /^y(?:es)?$/i.test(answer.trim());
  } catch {
    return false;
  } finally {
    lines.close();
  }
}
