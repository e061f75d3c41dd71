import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findBuilt } from "../../src/dashboard/build/build-places.ts";
import { startDashboardBuild } from "../../src/dashboard/build/dashboard-build.ts";
import { type DashboardService, startDashboardService } from "./harness.ts";

const FIRST_LOAD_BYTES = 300_000;

let service: DashboardService;
let folder: string;

beforeAll(async () => {
  service = await startDashboardService({ withPages: true });
  folder = findBuilt() ?? "";
});

afterAll(() => service.close());

describe("the built dashboard", () => {
  it("is not built again", async () => {
    const lines: string[] = [];
    const build = startDashboardBuild((line) => lines.push(line));
    expect([build.state, lines]).toEqual([{ kind: "ready", folder }, []]);
  });

  it("loads less than 300 KB at first, compressed", () => {
    const page = readFileSync(join(folder, "index.html"), "utf8");
    const entries = [...page.matchAll(/(?:src|href)="\{\{dashboard\}\}\/(assets\/[^"]+)"/g)].map(
      ([, path]) => path ?? "",
    );
    expect(entries.length).toBeGreaterThanOrEqual(2);
    const largestPage = Math.max(
      ...readdirSync(join(folder, "assets"))
        .filter((name) => name.includes("-page-") && name.endsWith(".js.gz"))
        .map((name) => statSync(join(folder, "assets", name)).size),
    );
    // What is small is not compressed.
    const sizeOf = (path: string) => statSync(existsSync(`${path}.gz`) ? `${path}.gz` : path).size;
    const bytes = entries.reduce((sum, path) => sum + sizeOf(join(folder, path)), largestPage);
    expect(bytes).toBeLessThan(FIRST_LOAD_BYTES);
  });

  it("answers every path with the page, and its nonce is new each time", async () => {
    const load = async (path: string) => {
      const response = await fetch(`${service.url}${path}`);
      const nonce = /'nonce-([^']+)'/.exec(response.headers.get("content-security-policy") ?? "")?.[1];
      expect(await response.text()).toContain(`<meta name="csp-nonce" content="${nonce}" />`);
      const { headers, status } = response;
      return {
        nonce,
        status,
        shown: ["x-frame-options", "x-content-type-options", "referrer-policy", "cache-control"].map((name) =>
          headers.get(name),
        ),
      };
    };
    const [first, second] = [await load("/dashboard"), await load("/dashboard/projects/x/keys")];
    expect(first.nonce).not.toBe(second.nonce);
    for (const { status, shown } of [first, second]) {
      expect([status, ...shown]).toEqual([200, "DENY", "nosniff", "no-referrer", "no-store"]);
    }
  });

  it("sends assets compressed, to be kept for ever, and none from outside their folder", async () => {
    const name = readdirSync(join(folder, "assets"))
      .find((file) => file.endsWith(".js.br"))
      ?.replace(/\.br$/, "");
    const encodings = await Promise.all(
      ["br", "gzip", "identity"].map(async (encoding) => {
        const response = await fetch(`${service.url}/dashboard/assets/${name}`, {
          headers: { "accept-encoding": encoding },
        });
        expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
        expect(response.headers.get("content-type")).toMatch(/javascript/);
        return response.headers.get("content-encoding");
      }),
    );
    expect(encodings).toEqual(["br", "gzip", null]);
    expect((await fetch(`${service.url}/dashboard/assets/nothing.js`)).status).toBe(404);
    const outside = await fetch(`${service.url}/dashboard/assets/..%2findex.html`);
    expect([outside.status, await outside.text()]).not.toContain("root");
    expect(outside.status).toBeGreaterThanOrEqual(400);
  });
});
