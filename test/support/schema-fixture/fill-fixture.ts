import { NO_EVIDENCE } from "../../../src/learning/equivalence/evidence.ts";
import { createDataset } from "../../../src/operations/datasets.ts";
import { createAdminKey } from "../../../src/store/admin-keys/admin-key-repository.ts";
import { createDashboardStore } from "../../../src/store/dashboard/dashboard-store.ts";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import { createAuditStore } from "../../../src/store/equivalence/audit-store.ts";
import { openInstallationKey } from "../../../src/store/keys/installation-key.ts";
import { createKey } from "../../../src/store/keys/key-repository.ts";
import { setControls } from "../../../src/store/learning/control-store.ts";
import { manageItem } from "../../../src/store/managed/managed-items.ts";
import { writeRefusals } from "../../../src/store/refusals/write-refusals.ts";
import { writeSettings } from "../../../src/store/settings/write-settings.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { NO_CONTROLS } from "../../../src/vocabulary/control-fields.ts";
import { fillEmptyTables } from "../fill-database.ts";
import { refusedAt } from "../rows.ts";
import { fillCalls, learnAll } from "./fill-calls.ts";

const projectId = DEFAULT_PROJECT.id;

/**
 * Puts made-up rows into every table: those that a service reads by the store's own writers, those of the other tables
 * by the types of their columns. Returns an API key of the default project.
 */
export async function fillFixture(store: Store): Promise<string> {
  await openInstallationKey(store);
  const { key, info } = await createKey(store, { name: "ci", quota: { requestsPerMinute: 1000 } });
  await createAdminKey(store, { name: "terraform", scopes: ["projects:read"], projectId: undefined, expiresAt: null });
  const ids = await fillCalls(store, info.publicId);
  await learnAll(store);
  await fillCalls(store, info.publicId);
  await fillSettings(store, ids);
  await fillEmptyTables(store);
  return key;
}

async function fillSettings(store: Store, ids: readonly string[]): Promise<void> {
  const dashboard = createDashboardStore(store);
  const link = (await dashboard.setup.newLink()) ?? "";
  const owner = await dashboard.setup.createOwner(link, { email: "owner@example.com", passwordHash: "none" });
  if (owner === undefined) throw new Error("there is an owner already");
  await dashboard.sessions.begin({ userId: owner.id, address: "127.0.0.1", userAgent: "a browser" });
  await dashboard.projects.create("search", owner.id, { costNanosPerMonth: 100_000_000_000 });
  await dashboard.invitations.create({ projectId, email: "ada@example.com", role: "viewer" });
  await dashboard.resets.createForAccount(owner.id);
  await dashboard.savedViews.save(projectId, { name: "failed", search: "status=failed" });
  await writeSettings(store, projectId, { bodies: "redacted" });
  const rule = { kind: "latency", threshold: 60, windowMinutes: 15, minCalls: 20, isEnabled: true } as const;
  await dashboard.alerts.setRule(projectId, { name: "slow", ...rule });
  await dashboard.alerts.addDestination({ projectId, name: "mail", kind: "email", target: "ops@example.com" });
  const { id } = await createDataset(dashboard.datasets, projectId, "regressions");
  await dashboard.datasets.add({ projectId, id }, ids.slice(0, 2));
  await setControls(store, { projectId, model: "gpt-6-astra" }, { ...NO_CONTROLS, mode: "observe" });
  const place = { upstream: "openai", model: "gpt-6-astra" };
  const audited = { key: { model: "gpt-6-astra", place }, plainPlace: place, standing: "open" } as const;
  await createAuditStore(store).change(audited.key, () => {
    return { ...audited, evidence: NO_EVIDENCE, difference: undefined, history: [] };
  });
  await manageItem(store, { kind: "project", projectId, name: "default" });
  const refused = { projectId, keyId: "", reason: "unknown_key" } as const;
  await writeRefusals(store, {
    counts: [{ ...refused, ...refusedAt(Date.now()), calls: 3 }],
    samples: [{ ...refused, id: ids[0] ?? "", at: new Date(), call: "POST /v1/responses", message: "no such key" }],
  });
}
