import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Logger } from "pino";
import { loadConfig } from "../../src/config/load-config.ts";
import { type RunningService, startService } from "../../src/main.ts";
import { createLog } from "../../src/observability/log.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import type { Store } from "../../src/store/types/store.ts";
import { observeUnlessSaid } from "./observe-unless-said.ts";

/** A whole service on a free port, with a database of its own and an API key. */
export interface TestService extends RunningService {
  readonly key: string;
  /** Where its metrics are. */
  readonly adminUrl: string;
  readonly store: Store;
  /** Headers of a JSON request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the service as a signal does; the store stays open until close(). */
  stop(): Promise<void>;
}

/** What a test service is made of. */
export interface TestServiceOptions {
  /** Text of attune.yaml; without it the built-in models are served by the sandbox. */
  readonly yaml?: string;
  readonly databaseUrl?: string;
  readonly heartbeatMs?: number;
  /** Folder of the spool, where several services share one. */
  readonly spoolFolder?: string;
  /** False for a service whose metrics are not on a port of their own. */
  readonly hasAdminPort?: boolean;
  /** Secret that seals are signed with, where a test makes some itself; the service's own if absent. */
  readonly signingSecret?: string;
  /** Where it logs; nowhere if absent. */
  readonly log?: Logger;
}

/** Starts a service as `attune serve` does, from a configuration file. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const folder = mkdtempSync(join(tmpdir(), "attune-test-"));
  if (options.yaml !== undefined) writeFileSync(join(folder, "attune.yaml"), options.yaml);
  const environment = { ATTUNE_PORT: "0", ATTUNE_DATABASE_URL: options.databaseUrl ?? "sqlite::memory:" };
  const loaded = loadConfig(
    options.hasAdminPort === false ? environment : { ...environment, ATTUNE_ADMIN_PORT: "0" },
    folder,
  );
  const spool = { ...loaded.spool, folder: options.spoolFolder ?? join(folder, "spool") };
  const config = { ...observeUnlessSaid(loaded, options.yaml), spool };
  const store = await openStore(config.database.url, { ...config.figures, quotas: config.quotas });
  if (options.signingSecret !== undefined) {
    const row = { id: 1, secret: options.signingSecret, createdAt: new Date() };
    await store.query().insertInto("InstallationKey").values(row).execute();
  }
  const { key } = await createKey(store, { name: "test" });
  const { heartbeatMs } = options;
  const log = options.log ?? createLog("silent");
  const service = await startService({ config, store, log, ...(heartbeatMs === undefined ? {} : { heartbeatMs }) });
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= service.close();
    return stopped;
  };
  return {
    ...service,
    adminUrl: service.adminUrl ?? "",
    key,
    store,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    stop,
    async close() {
      await stop();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Text of a configuration with one model for each kind of upstream, all at one address. */
export function yamlFor(url: string): string {
  const model = (name: string, family: string, upstream: string): string => `
  - name: ${name}
    family: ${family}
    purpose: tests
    contextWindow: 200000
    maxOutputTokens: 64000
    minCacheableTokens: 1024
    price: { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 }
    deployments: [ { upstream: ${upstream}, model: real-${name} } ]`;
  return `
upstreams:
  chat: { kind: openai-chat, baseUrl: "${url}/v1", apiKey: "sk-upstream-chat-secret" }
  responses: { kind: openai-responses, baseUrl: "${url}/v1", apiKey: "sk-upstream-responses-secret" }
  messages: { kind: anthropic-messages, baseUrl: "${url}", apiKey: "sk-ant-upstream-secret" }
models:${model("chatty", "chat", "chat")}${model("responder", "responses", "responses")}${model("messenger", "messages", "messages")}
`;
}
