/**
 * `npm run test:python [-- ARGUMENT ...]`: the official Python SDKs as clients. Installs them into a folder of their
 * own below node_modules, starts a service with a scripted upstream of each kind and the sandbox, and runs pytest, with
 * the arguments where there are any. Needs python3 with venv.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { modelsYaml, scriptModels } from "../test/python/scripted-models.ts";
import { startScriptedUpstream } from "../test/support/scripted-upstream.ts";
import { startTestService } from "../test/support/service.ts";

const REQUIREMENTS = "test/python/requirements.txt";
const VENV = "node_modules/.cache/attune-python";

function install(): void {
  const wanted = createHash("sha256").update(readFileSync(REQUIREMENTS)).digest("hex");
  const stamp = join(VENV, "requirements");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  run("python3", ["-m", "venv", "--clear", VENV]);
  run(join(VENV, "bin", "pip"), ["install", "--quiet", "--disable-pip-version-check", "-r", REQUIREMENTS]);
  writeFileSync(stamp, wanted);
}

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

if (spawnSync("python3", ["-m", "venv", "--help"], { stdio: "ignore" }).status !== 0) {
  console.log("python3 with venv is not here: the Python SDKs are not tested");
  process.exit(0);
}
install();
const upstream = await startScriptedUpstream();
scriptModels(upstream);
const service = await startTestService({ yaml: modelsYaml(upstream.url) });
const { url, key } = service;
const environment = { ATTUNE_URL: url, ATTUNE_KEY: key, UPSTREAM_URL: upstream.url, PYTHONDONTWRITEBYTECODE: "1" };
const paths = process.argv.length > 2 ? process.argv.slice(2) : ["test/python"];
const pytest = spawn(join(VENV, "bin", "pytest"), ["-q", "-p", "no:cacheprovider", ...paths], {
  stdio: "inherit",
  env: { ...process.env, ...environment },
});
const status = await new Promise<number>((resolve) => pytest.on("exit", (code) => resolve(code ?? 1)));
await service.close();
await upstream.close();
process.exit(status);
