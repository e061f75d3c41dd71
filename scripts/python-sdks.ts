/**
 * `npm run test:python`: the official Python SDKs as clients. Installs them into a folder of their own below node_modules,
 * starts a service with a scripted upstream of each kind and the sandbox, and runs pytest. Needs python3 with venv.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UPSTREAM_KINDS, type UpstreamKind } from "../test/conformance/topic.ts";
import { unknownMembers } from "../test/conformance/topics/unknown-members.ts";
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

function kindOf(path: string): UpstreamKind {
  if (path.startsWith("/v1/messages")) return "anthropic-messages";
  return path.startsWith("/v1/responses") ? "openai-responses" : "openai-chat";
}

/** Every model is of the Messages family, which all three formats may use. */
function yaml(url: string): string {
  const base = (kind: UpstreamKind): string => (kind === "anthropic-messages" ? url : `${url}/v1`);
  const upstreams = UPSTREAM_KINDS.map((kind) => `  ${kind}: { kind: ${kind}, baseUrl: "${base(kind)}", apiKey: k }`);
  const models = [...UPSTREAM_KINDS.map((kind) => [kind, kind] as const), ["sandboxed", "sandbox"] as const].map(
    ([name, deployed]) => `  - name: ${name}
    family: messages
    purpose: Python SDKs
    contextWindow: 200000
    maxOutputTokens: 4096
    deployments: [ { upstream: ${deployed}, model: real } ]`,
  );
  return `upstreams:\n${upstreams.join("\n")}\nmodels:\n${models.join("\n")}\n`;
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
// What nobody knows comes natively as it is, and to callers of other formats as a comment of their stream.
upstream.answerBy((path) => ({ steps: [unknownMembers.upstreamAnswers[kindOf(path)]] }));
const service = await startTestService({ yaml: yaml(upstream.url) });
const pytest = spawn(join(VENV, "bin", "pytest"), ["-q", "-p", "no:cacheprovider", "test/python"], {
  stdio: "inherit",
  env: { ...process.env, ATTUNE_URL: service.url, ATTUNE_KEY: service.key, PYTHONDONTWRITEBYTECODE: "1" },
});
const status = await new Promise<number>((resolve) => pytest.on("exit", (code) => resolve(code ?? 1)));
await service.close();
await upstream.close();
process.exit(status);
