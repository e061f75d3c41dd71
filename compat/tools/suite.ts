import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { freePort } from "../../test/support/free-port.ts";
import { startScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import { startTestService } from "../../test/support/service.ts";
import { modelsYaml, scriptModels } from "../clients/scripted-models.ts";
import { writePart } from "../write-part.ts";

const SCRIPTS = join(import.meta.dirname, "scripts");

/** A script that takes longer is ended. */
const MINUTES = 25;

/** What a script prints of a step, after the word `held` or `failed`. */
const STEP = /^(held|failed) (.+)$/gm;

/**
 * Runs the tools of scripts/ against a service, each in a folder of its own, and writes what held into
 * docs/compatibility.md; all tools if none is named. Returns whether all held.
 */
export async function run(names: readonly string[]): Promise<boolean> {
  const known = readdirSync(SCRIPTS).map((file) => file.replace(/\.sh$/, ""));
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`no tool ${unknown.join(", ")}; known: ${known.join(", ")}`);
  let held = true;
  for (const name of names.length > 0 ? names : known) held = (await runTool(name)) && held;
  return held;
}

async function runTool(name: string): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), `attune-compat-${name}-`));
  const upstream = await startScriptedUpstream();
  scriptModels(upstream);
  const otlpPort = await freePort();
  const databaseUrl = `sqlite:${join(folder, "attune.db")}`;
  // MLflow asks to be told an experiment; others pass over the header.
  const headers = '{ x-mlflow-experiment-id: "0" }';
  const telemetry = `telemetry:\n  endpoint: "http://127.0.0.1:${otlpPort}"\n  headers: ${headers}\n  traces: { content: true }\n`;
  const service = await startTestService({ yaml: priced(modelsYaml(upstream.url)) + telemetry, databaseUrl });
  try {
    const output = await execute(join(SCRIPTS, `${name}.sh`), folder, {
      ATTUNE_URL: service.url,
      ATTUNE_ADMIN_URL: service.adminUrl,
      ATTUNE_KEY: service.key,
      ATTUNE_DATABASE_URL: databaseUrl,
      ATTUNE_ROOT: process.cwd(),
      OTLP_PORT: String(otlpPort),
    });
    const steps = [...output.matchAll(STEP)].map(([, is, step = ""]) => ({ held: is === "held", step }));
    console.log(`${name}: ${steps.map((each) => `${each.held ? "held" : "FAILED"} ${each.step}`).join("; ")}`);
    // What could not be installed or did not start says nothing of the tool.
    if (steps.length === 0) return false;
    const failed = steps.filter((each) => !each.held).map(({ step }) => step.slice(0, 160));
    const steadfast = steps.filter((each) => each.held).map(({ step }) => step);
    const today = new Date().toISOString().slice(0, 10);
    const row = [name, versionOf(name), steadfast.join(", "), failed.join("; ") || "-", today];
    writePart({ suite: "tools", headings: ["tool", "release", "held", "did not hold", "run on"], rows: [row] });
    return failed.length === 0;
  } finally {
    await service.close();
    await upstream.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Returns the releases that the second line of a script names. */
function versionOf(name: string): string {
  return /^# (.+)$/m.exec(readFileSync(join(SCRIPTS, `${name}.sh`), "utf8"))?.[1] ?? "";
}

/** Runs a script in a folder and returns what it prints; shows it where it fails. */
async function execute(script: string, folder: string, own: Readonly<Record<string, string>>): Promise<string> {
  const env = { ...process.env, ...own, PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` };
  const child = spawn("bash", ["-euo", "pipefail", script], { cwd: folder, env, timeout: MINUTES * 60_000 });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  if (code !== 0) console.log(`${script} ended with ${code}\n${output.slice(-2000)}`);
  return output;
}

/** Gives models a price, so that sums of costs can be compared. */
function priced(yaml: string): string {
  return yaml.replaceAll(
    "    deployments:",
    "    price: { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75 }\n    deployments:",
  );
}
