import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createAdminKey } from "../../src/store/admin-keys/admin-key-repository.ts";
import { createDashboardStore } from "../../src/store/dashboard/dashboard-store.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { ADMIN_SCOPES } from "../../src/vocabulary/administrator.ts";
import { KEY_PERMISSIONS } from "../../src/vocabulary/key-permissions.ts";
import { startTestService, type TestService } from "../../test/support/service.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const ADDRESS = /http:\/\/127\.0\.0\.1:8080|https:\/\/attune\.example\.com/g;

/** A reader of the pages, who has a service with a key, a folder, and the files that pages name. */
export interface Reader {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Puts what the reader has in place of what pages write for it. */
  fill(code: string): string;
  close(): Promise<void>;
}

const MODELS = [
  "standard",
  "large",
  "small",
  "support",
  "extractor",
  "gpt-6-astra",
  "claude-haiku-5-5",
  "claude-sonnet-5-5",
];

const CONFIGURATION = {
  upstreams: { sandbox: { kind: "sandbox" } },
  learning: { mode: "observe", shadow: { share: 0.1, judge: "claude-sonnet-5-5", usdPerDay: 5 } },
  models: [
    ...MODELS.map((name) => ({ ...modelAtSandbox(name), candidates: { max: 3 } })),
    {
      ...modelAtSandbox("text-embedding-3-small"),
      embeddings: true,
      maxOutputTokens: 1,
      price: { input: 1, output: 0 },
    },
  ],
};

function modelAtSandbox(name: string) {
  return {
    name,
    family: "chat",
    contextWindow: 200_000,
    maxOutputTokens: 8192,
    price: { input: 3, output: 15 },
    deployments: [{ upstream: "sandbox", model: name }],
  };
}

/** Files that commands of the pages read, beside the configuration. */
const FILES: Readonly<Record<string, string>> = {
  "rubric.txt": "Satisfactory is what names the state of the order.\n",
  "attune.log": '{"requestId":"REQUEST_ID","level":40,"time":1,"msg":"request","outcome":"failed","model":"large"}\n',
};

/** Starts the service of a page's reader, in a temporary folder. The page may make the project "search" itself. */
export async function createReader(page: string): Promise<Reader> {
  const folder = mkdtempSync(join(tmpdir(), "attune-docs-"));
  const databaseUrl = `sqlite:${join(folder, "attune.db")}`;
  // JSON is YAML.
  const service = await startTestService({ yaml: JSON.stringify(CONFIGURATION), databaseUrl });
  const { store, url } = service;
  writeFiles(folder);
  if (!/projects create search/.test(page)) await makeSearch(service);
  const { key, info } = await createKey(store, { name: "of the reader", permissions: KEY_PERMISSIONS });
  const administrator = { scopes: ADMIN_SCOPES, projectId: undefined, expiresAt: null };
  const adminKey = await createAdminKey(store, { name: "docs", ...administrator });
  const oldAdminKey = await createAdminKey(store, { name: "old", ...administrator });
  const id = await ask(
    service,
    { ...service.headers, authorization: `Bearer ${key}` },
    { user: "ada", session: "run-7" },
  );
  return {
    folder,
    environment: {
      ATTUNE_URL: `${url}/v1`,
      ATTUNE_KEY: key,
      ATTUNE_API_KEY: key,
      KEY: key,
      SESSION: "run-7",
      ATTUNE_ADMIN_KEY: adminKey.key,
      ATTUNE_DATABASE_URL: databaseUrl,
      ATTUNE_CONFIG: join(folder, "service", "attune.yaml"),
    },
    fill: (code) =>
      code
        .replaceAll(ADDRESS, url)
        .replaceAll(/ID OF THE ANSWER|UUID of an inference/g, id)
        .replaceAll(/2b7c0d1e9f3a|(?<=rotate )ID\b/g, info.publicId)
        .replaceAll(/(?<=revoke )ID\b/g, oldAdminKey.info.publicId)
        .replaceAll(/ATTUNE_(?:(?:ADMIN|API)_)?KEY=\.\.\. /g, ""),
    async close() {
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Makes a project with a call of the end user that pages name. */
async function makeSearch(service: TestService): Promise<void> {
  const { store } = service;
  const project = await createDashboardStore(store).projects.create("search");
  const { key } = await createKey(store, { name: "search", projectId: project?.id ?? "" });
  await ask(service, { authorization: `Bearer ${key}`, "content-type": "application/json" }, { user: "ada" });
}

function writeFiles(folder: string): void {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, "service"));
  writeFileSync(join(folder, "service", "attune.yaml"), JSON.stringify(CONFIGURATION));
  copyFileSync(join(ROOT, "docs", "projects.example.yaml"), join(folder, "projects.yaml"));
  for (const name of ["node_modules", "proto", "buf.yaml"]) symlinkSync(join(ROOT, name), join(folder, name));
}

/** Makes a call, and returns the id of its inference once that is written: feedback on a session needs it. */
async function ask(
  { url, store }: TestService,
  headers: Readonly<Record<string, string>>,
  { user, session }: { user: string; session?: string },
): Promise<string> {
  const more = session === undefined ? {} : { "attune-session": session };
  const messages = [{ role: "user", content: "Hello" }];
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { ...headers, ...more },
    body: JSON.stringify({ model: "attune/large", user, messages }),
  });
  const answer = (await response.json()) as { id: string };
  const id = answer.id.replace(/^chatcmpl-/, "");
  const find = () => store.query().selectFrom("Inference").select("id").where("id", "=", id).executeTakeFirst();
  for (let tries = 0; tries < 1000 && (await find()) === undefined; tries++) await wait(50);
  return id;
}
