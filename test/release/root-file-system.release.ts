import { execFileSync, spawnSync } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../support/free-port.ts";
import { buildRelease } from "./built-release.ts";
import { KEY, serveRelease } from "./serve-release.ts";

const IMAGE_USER = 10_001;
/** Platforms such as OpenShift choose one. */
const ANY_USER = 1_234_567;

/** Of what the image is to have, compressed. */
const MAX_BYTES = 160e6;

const IN_CONTAINER = join(import.meta.dirname, "in-container.sh");

const canBuild =
  process.getuid?.() === 0 &&
  spawnSync("unshare", ["--mount", "true"]).status === 0 &&
  spawnSync("apt-get", ["--version"]).status === 0;

describe.skipIf(!canBuild)("the root file system of the image (needs root, unshare and apt-get)", () => {
  let folder: string;
  let root: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "attune-root-"));
    root = join(folder, "root");
    execFileSync("chmod", ["755", folder]);
    const builder = join(import.meta.dirname, "build-root.sh");
    execFileSync("bash", [builder, root, buildRelease().folder, process.execPath], { stdio: "inherit" });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function inContainer(user: number, port: number, command: readonly string[]): readonly string[] {
    const data = join(folder, String(user));
    mkdirSync(data, { recursive: true });
    chownSync(data, user, user);
    return [
      ...["unshare", "--mount", "--pid", "--fork", "--kill-child=SIGTERM", "--ipc", "--uts"],
      ...["bash", IN_CONTAINER, root, data, String(user)],
      ...["/usr/bin/env", "-i", "PATH=/usr/local/bin:/usr/bin:/bin", "NODE_ENV=production", "ATTUNE_HOST=127.0.0.1"],
      ...[`ATTUNE_PORT=${port}`, "ATTUNE_DATABASE_URL=sqlite:/data/attune.db", `ATTUNE_BOOTSTRAP_KEY=${KEY}`],
      ...command,
    ];
  }

  it("is small", () => {
    const size = Number(execFileSync("sh", ["-c", `tar -C ${root} -c . | gzip -6 | wc -c`]).toString());
    const parts = execFileSync("du", ["-sm", join(root, "usr/local"), join(root, "opt"), root]).toString();
    console.log(`the root file system, compressed: ${(size / 1e6).toFixed(0)} MB; on disk, in MB:\n${parts}`);
    expect(size).toBeLessThan(MAX_BYTES);
  });

  it.each([IMAGE_USER, ANY_USER])("serves as user %d on a read-only mount, and is called healthy", async (user) => {
    const port = await freePort();
    const served = await serveRelease(inContainer(user, port, ["attune", "serve"]), { port });
    console.log(`cold start as user ${user}: ${(served.startMs / 1000).toFixed(1)} s`);
    const began = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "attune/gpt-6-astra", messages: [{ role: "user", content: "Hello" }] }),
    });
    expect(answer.status).toBe(200);
    console.log(`first answer: ${(performance.now() - began).toFixed(0)} ms`);
    expect((await fetch(`http://127.0.0.1:${port}/dashboard/`)).status).toBe(200);
    const [check, ...args] = inContainer(user, port, ["node", "/opt/attune/packaging/health-check.mjs"]);
    expect(spawnSync(check ?? "", args).status).toBe(0);
    const [touch, ...touched] = inContainer(user, port, ["touch", "/opt/attune/written"]);
    expect(spawnSync(touch ?? "", touched, { encoding: "utf8" }).stderr).toContain("Read-only file system");
    await served.stop();
    expect(spawnSync(check ?? "", args).status).toBe(1);
    expect(served.printed()).toContain("all requests have ended");
  });
});
