import { spawn } from "node:child_process";
import { once } from "node:events";
import { createAdminKey } from "../../src/store/admin-keys/admin-key-repository.ts";
import { startTestService } from "../../test/support/service.ts";
import { writtenPages } from "./pages.ts";

const ADDRESS = "http://127.0.0.1:8080";
/** Words that stand for what a reader has, and no service of a test can. */
const PLACEHOLDER = /ID OF|UUID of|CONVERSATION|REQUEST_ID|\.\.\.|…/;

/** Makes the calls of the pages with curl at a service of the sandbox, and lists those that fail. */
export async function runCalls(): Promise<string[]> {
  const service = await startTestService();
  const scopes = ["projects:write", "keys:write"] as const;
  const { key: adminKey } = await createAdminKey(service.store, {
    name: "docs",
    scopes,
    projectId: undefined,
    expiresAt: null,
  });
  const environment = { ATTUNE_KEY: service.key, KEY: service.key, ATTUNE_ADMIN_KEY: adminKey };
  const calls = writtenPages().flatMap(({ path, markdown }) =>
    [...markdown.matchAll(/^```sh\n(.*?)^```/gms)]
      .map(([, code = ""]) => ({ path, code }))
      .filter(({ code }) => code.includes(ADDRESS) && /^curl /m.test(code)),
  );
  const findings: string[] = [];
  for (const { path, code } of calls) {
    const [name = ""] = code.split("\n");
    if (PLACEHOLDER.test(code)) {
      console.log(`left out, it names what only a reader has: ${path}: ${name}`);
      continue;
    }
    const failure = await failureOf(code.replaceAll(ADDRESS, service.url), environment);
    console.log(`${failure === undefined ? "works" : "fails"}: ${path}: ${name}`);
    if (failure !== undefined) findings.push(`${path}: ${name}\n${failure}`);
  }
  await service.close();
  return findings;
}

/** Returns what a block printed where it failed. A call with `-i` shows an error on purpose. */
async function failureOf(code: string, environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const fails = /^curl -i /m.test(code) ? "" : "--fail-with-body";
  const script = `curl() { command curl --silent --show-error ${fails} --max-time 20 "$@"; }\n${code}`;
  const env = { ...process.env, ...environment };
  const shell = spawn("bash", ["-e", "-c", script], { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [shell.stdout, shell.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const [status] = await once(shell, "close");
  return status === 0 ? undefined : output;
}
