import { execFileSync, spawnSync } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../support/free-port.ts";
import { buildRoot, CAN_BUILD_ROOT } from "./built-root.ts";
import { KEY, serveRelease } from "./serve-release.ts";

const IMAGE_USER = 10_001;
/** Platforms such as OpenShift choose one. */
const ANY_USER = 1_234_567;

const IN_CONTAINER = join(import.meta.dirname, "in-container.sh");

describe.skipIf(!CAN_BUILD_ROOT)("the root file system of the image (needs root, unshare and apt-get)", () => {
  let folder: string;
  let root: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "attune-data-"));
    execFileSync("chmod", ["755", folder]);
    root = buildRoot();
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
      ...[`ATTUNE_PORT=${port}`, "ATTUNE_CONFIG=/etc/attune/attune.yaml", `ATTUNE_BOOTSTRAP_KEY=${KEY}`],
      ...command,
    ];
  }

  it.each([IMAGE_USER, ANY_USER])("serves as user %d on a read-only mount, and is called healthy", async (user) => {
    const port = await freePort();
    const served = await serveRelease(inContainer(user, port, ["attune", "serve"]), { port });
    const answer = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "attune/gpt-6-astra", messages: [{ role: "user", content: "Hello" }] }),
    });
    expect(answer.status).toBe(200);
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
