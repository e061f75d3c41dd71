import { copyFileSync, writeFileSync } from "node:fs";
import https from "node:https";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { expect, it, vi } from "vitest";
import { untilServing } from "../support/banner.ts";
import { createCliFolder } from "../support/run-cli.ts";
import { certificate } from "../support/tls-postgres.ts";

/** Returns the name in the certificate that a new connection is shown. */
function shownName(url: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const options = { agent: false, rejectUnauthorized: false } as const;
    const asked = https.get(`${url}/healthz`, options, (response) => {
      resolve((response.socket as TLSSocket).getPeerCertificate().subject.CN);
      response.resume();
    });
    asked.on("error", reject);
  });
}

it.each([[[]], [["--workers", "2"]]])(
  "attune serve %j shows a renewed certificate after SIGHUP",
  async (options) => {
    const folder = createCliFolder();
    try {
      const show = (name: string) => {
        for (const kind of ["crt", "key"])
          copyFileSync(certificate(`${name}.${kind}`), join(folder.path, `tls.${kind}`));
      };
      show("server");
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the reference is what is tested.
      const tls = 'tls: { cert: "${file:tls.crt}", key: "${file:tls.key}" }';
      writeFileSync(join(folder.path, "attune.yaml"), `server: { port: 0, ${tls} }\n`);
      const cli = folder.start(["serve", ...options], {});
      const { url } = await untilServing(cli);
      expect(url).toMatch(/^https:/);
      expect(await shownName(url)).toBe("localhost");
      show("client");
      cli.process.kill("SIGHUP");
      await vi.waitUntil(async () => (await shownName(url)) === "postgres", { timeout: 60_000, interval: 200 });
      expect(cli.complained()).not.toContain("PRIVATE KEY");
      cli.process.kill("SIGTERM");
      expect((await cli.result).status).toBe(0);
    } finally {
      await folder.remove();
    }
  },
  120_000,
);
