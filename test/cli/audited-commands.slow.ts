import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createProgram, createWholeProgram } from "../../src/cli/program.ts";
import { type AuditKey, addSample } from "../../src/learning/equivalence/audit-state.ts";
import { createAdminKey } from "../../src/store/admin-keys/admin-key-repository.ts";
import { verifyAuditLog } from "../../src/store/audit/verify-audit-log.ts";
import { newAccount } from "../../src/store/dashboard/accounts.ts";
import { createProjectAlerts } from "../../src/store/dashboard/alerts.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { createAuditStore } from "../../src/store/equivalence/audit-store.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { setControls } from "../../src/store/learning/control-store.ts";
import { requestRebuild } from "../../src/store/learning/rebuild-requests.ts";
import type { Store } from "../../src/store/types/store.ts";

const MODEL = "gpt-6-astra";
const OTHER = "claude-fable-5-2";
const OWNER = "first@example.com";
const DEPLOYMENT: AuditKey = { model: MODEL, place: { upstream: "second", model: "real" } };

/** Every command that changes something: the action of its entry, and its arguments. */
const AUDITED: Readonly<Record<string, readonly [string, ...string[]]>> = {
  "keys create": ["keys.create", "--name", "ci"],
  "keys update": ["quotas.set", "ID", "--rpm", "6"],
  "keys rotate": ["keys.rotate", "ID"],
  "keys pause": ["keys.pause", "ID"],
  "keys resume": ["keys.resume", "PAUSED"],
  "keys revoke": ["keys.revoke", "ID"],
  "admin-keys create": ["admin-keys.create", "--name", "ci", "--allow", "keys:read"],
  "admin-keys revoke": ["admin-keys.revoke", "ADMIN"],
  "projects create": ["projects.create", "search"],
  "projects update": ["quotas.set", "search", "--rpm", "6"],
  "projects settings": ["projectSettings.set", "search", "--bodies", "none"],
  "projects delete": ["projects.delete", "search", "--yes"],
  "projects restore": ["projects.restore", "search"],
  "alerts set-rule": ["alerts.setRule", "drift", "--threshold", "2"],
  "alerts remove-rule": ["alerts.removeRule", "drift"],
  "alerts add-destination": ["alerts.addDestination", "ops", "--webhook", "http://1.1.1.1/hook"],
  "alerts remove-destination": ["alerts.removeDestination", "DESTINATION"],
  "end-users update": ["quotas.set", "grace", "--rpm", "6"],
  "end-users export": ["endUsers.export", "ada"],
  "end-users delete": ["endUsers.requestDeletion", "ada", "--yes"],
  "quotas set": ["quotas.set", "--end-user", "ada", "--rpm", "6"],
  "quotas clear": ["quotas.set", "--end-user", "ada"],
  "users create-owner": ["setup.createOwner", "--email", OWNER, "--password-file", "PASSWORD"],
  "users reset": ["resets.create", OWNER],
  "users invite": ["invitations.create", "new@example.com", "--role", "billing"],
  "users set-role": ["members.setRole", "MEMBER", "viewer"],
  "export requests": ["history.export", "--month", "2026-11"],
  retention: ["retention.confirm", "--yes"],
  "workloads mode": ["learning.setControls", "observe"],
  "workloads freeze": ["learning.setControls"],
  "workloads pin": ["learning.setControls", OTHER],
  "workloads free": ["learning.setControls"],
  "workloads set": ["learning.setControls", "--objective", "cost"],
  "workloads exclude": ["learning.setControls", OTHER],
  "workloads metric": ["learning.setControls", "helpful", "--weight", "0.5"],
  "workloads reset": ["learning.reset", MODEL],
  improve: ["learning.requestImprovement", MODEL, "--usd", "1", "--no-wait", "JUDGED"],
  "workloads cancel-rebuild": ["learning.cancelRebuild", "--project", "default", "WAITING"],
  "workloads rebuild": ["learning.requestRebuild", "--project", "default"],
  "audit put-back": ["deployments.putBack", DEPLOYMENT.model, DEPLOYMENT.place.upstream, DEPLOYMENT.place.model],
  "optimizations off": ["projectSettings.set", "hedging"],
  apply: ["projects.create", "--file", "PROJECTS", "--yes"],
  "optimizations on": ["projectSettings.set", "hedging"],
};

const READS = "reads";
/** Commands without an entry, and why. */
const EXEMPT: Readonly<Record<string, string>> = {
  serve: "what it makes at a first start has entries of its own",
  build: "makes pages, and opens no database",
  backup: "it changes nothing",
  migrate: "the table of migrations says when what was applied",
  feedback: "sends feedback like every client",
  "alerts list": READS,
  "alerts rules": READS,
  "alerts destinations": READS,
  "alerts test": "sends messages; those of a project are in the audit log of the operation",
  replay: READS,
  "import litellm": "makes a configuration, and opens no database",
  "import tensorzero": "makes a configuration, and opens no database",
  "import tensorzero-evaluations": "makes rows of files, and opens no database",
  "import local": "makes a configuration, and opens no database",
  "models list": READS,
  "models show": READS,
  "models update": "writes the file of lists, and opens no database",
  openapi: READS,
  check: READS,
  usage: READS,
  "export projects": READS,
  "keys list": READS,
  "admin-keys list": READS,
  "projects list": READS,
  "end-users list": READS,
  "quotas list": READS,
  "users list": READS,
  "workloads list": READS,
  "workloads show": READS,
  "audit list": READS,
  "audit-log": READS,
  "audit show": READS,
  "optimizations list": READS,
};

function leavesOf(command: Command, path: readonly string[] = []): string[] {
  if (command.commands.length === 0) return [path.join(" ")];
  return command.commands.flatMap((each) => leavesOf(each, [...path, each.name()]));
}

/** The workload that is improved. */
const WORKLOAD = { projectId: DEFAULT_PROJECT.id, model: MODEL };

const IN_BACKGROUND = ["end-users delete", "workloads rebuild"];

describe("commands in the audit log", () => {
  let folder: string;
  let store: Store;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "attune-audited-"));
    const url = `sqlite:${join(folder, "attune.db")}`;
    vi.stubEnv("ATTUNE_DATABASE_URL", url);
    vi.stubEnv("ATTUNE_CONFIG", undefined);
    for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, "write").mockReturnValue(true);
    writeFileSync(join(folder, "password"), "a few plain words\n");
    writeFileSync(join(folder, "projects"), "projects: [{ name: applied }]");
    store = await openStore(url);
    const state = { version: 1, updatedAt: new Date(), rewards: 1, snapshot: null };
    await store
      .query()
      .insertInto("LearnedState")
      .values({ projectId: DEFAULT_PROJECT.id, model: MODEL, ...state })
      .execute();
    const comparison = { tosses: [], hasNull: false, distance: 0, baseDistance: undefined };
    const sample = { key: DEPLOYMENT, plainPlace: { upstream: "first", model: "real" }, comparison };
    await createAuditStore(store).change(DEPLOYMENT, (known) => addSample(known, sample, new Date()));
  });

  afterAll(async () => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  async function newPausedKey(): Promise<string> {
    const { publicId } = (await createKey(store, { name: "old" })).info;
    await createProgram().parseAsync(["keys", "pause", publicId], { from: "user" });
    return publicId;
  }

  async function newAdminKey(): Promise<string> {
    const settings = { name: "old", scopes: ["keys:read"] as const, projectId: undefined, expiresAt: null };
    return (await createAdminKey(store, settings)).info.publicId;
  }

  async function newDestination(): Promise<string> {
    const added = { projectId: DEFAULT_PROJECT.id, name: "old", kind: "slack", target: "http://1.1.1.1/hook" } as const;
    return (await createProjectAlerts(store).addDestination(added))?.destination.id ?? "";
  }

  async function newMember(): Promise<string> {
    const account = newAccount("member@example.com", null);
    await store.query().insertInto("UserAccount").values(account).execute();
    const membership = { user: account.id, project: DEFAULT_PROJECT.id, role: "billing", createdAt: new Date() };
    await store.query().insertInto("Membership").values(membership).execute();
    return account.email;
  }

  it("are all that change something", async () => {
    expect([...Object.keys(AUDITED), ...Object.keys(EXEMPT)].sort()).toEqual(
      leavesOf(await createWholeProgram()).sort(),
    );
  });

  it.each(Object.entries(AUDITED))("%s", async (command, [action, ...given]) => {
    const args = [];
    for (const arg of given) {
      if (arg === "ID") args.push((await createKey(store, { name: "old" })).info.publicId);
      else if (arg === "PAUSED") args.push(await newPausedKey());
      else if (arg === "ADMIN") args.push(await newAdminKey());
      else if (arg === "DESTINATION") args.push(await newDestination());
      else if (arg === "WAITING") await requestRebuild(store, DEFAULT_PROJECT.id, { isBounded: true });
      else if (arg === "JUDGED") await setControls(store, WORKLOAD, { shadowJudge: OTHER }, "");
      else if (arg === "MEMBER") args.push(await newMember());
      else args.push(arg === "PASSWORD" || arg === "PROJECTS" ? join(folder, arg.toLowerCase()) : arg);
    }
    const before = (await verifyAuditLog(store)).sequence;
    await createProgram().parseAsync([...command.split(" "), ...args], { from: "user" });
    const entries = await store.query().selectFrom("AuditEntry").selectAll().where("sequence", ">", before).execute();
    expect(entries[0]?.action).toBe(action);
    // The end of what is done in the background has an entry too.
    expect(entries).toHaveLength(IN_BACKGROUND.includes(command) ? 2 : 1);
    for (const entry of entries) {
      expect(entry).toMatchObject({ via: "command", actorKind: "command", actorId: userInfo().username });
    }
    expect(JSON.stringify(entries)).not.toContain("plain words");
  });
});
