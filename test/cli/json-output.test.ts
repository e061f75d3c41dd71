import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { describeJson } from "../../src/cli/build-command.ts";
import type { Command, JsonForm } from "../../src/cli/command.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { addSample } from "../../src/learning/equivalence/audit-state.ts";
import { changeAlerts } from "../../src/store/alerts/write-alerts.ts";
import { newAccount } from "../../src/store/dashboard/accounts.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { createAuditStore } from "../../src/store/equivalence/audit-store.ts";
import { useTemporaryFolders } from "../support/temporary-folder.ts";
import { run, runHere, service, useRemoteService } from "./remote.ts";

useRemoteService();

const EXAMPLE = join(import.meta.dirname, "../../docs/projects.example.yaml");

/** The call of each command that lists or shows something; `here` on the database, else with `--url`. */
const READS: Readonly<Record<string, { readonly args?: readonly string[]; readonly here?: true }>> = {
  "keys list": {},
  "admin-keys list": {},
  "projects list": {},
  "end-users list": {},
  "projects settings": { args: ["default"] },
  "quotas list": {},
  usage: {},
  "users list": {},
  retention: { here: true },
  "workloads list": {},
  "workloads show": { args: ["gpt-6-astra"] },
  "alerts list": {},
  "alerts rules": {},
  "alerts destinations": {},
  "audit list": { here: true },
  "audit show": { args: ["gpt-6-astra", "b", "m"], here: true },
  "audit-log": {},
  "optimizations list": {},
  improve: { args: ["gpt-6-astra"] },
  "models list": { here: true },
  "models show": { args: ["gpt-6-astra"], here: true },
  apply: { args: ["-f", EXAMPLE] },
};

/** Commands that change, send or make something, print a file of their own, or say one thing in a sentence. */
const OTHERS: ReadonlySet<string> = new Set([
  ...["serve", "build", "migrate", "backup", "openapi", "check", "feedback", "replay"],
  ...["export projects", "export requests"],
  ...["keys create", "keys update", "keys rotate", "keys pause", "keys resume", "keys revoke"],
  ...["admin-keys create", "admin-keys revoke"],
  ...["projects create", "projects update", "projects delete", "projects restore"],
  ...["end-users update", "end-users export", "end-users delete", "quotas set", "quotas clear"],
  ...["users create-owner", "users reset", "users invite", "users set-role"],
  ...["workloads mode", "workloads freeze", "workloads pin", "workloads free", "workloads exclude"],
  ...["workloads metric", "workloads set", "workloads reset", "workloads rebuild"],
  "workloads cancel-rebuild",
  ...["alerts set-rule", "alerts remove-rule", "alerts test", "alerts add-destination", "alerts remove-destination"],
  ...["audit put-back", "optimizations off", "optimizations on"],
  ...["import litellm", "import tensorzero", "import tensorzero-evaluations", "import local", "models update"],
]);

async function readCommands(): Promise<ReadonlyMap<string, Omit<Command, "summary">>> {
  const commands = new Map<string, Omit<Command, "summary">>();
  for (const [name, { load }] of Object.entries(COMMANDS)) {
    const root = await load();
    if (!("commands" in root)) commands.set(name, root);
    else for (const [child, command] of Object.entries(root.commands)) commands.set(`${name} ${child}`, command);
  }
  return commands;
}

const LEAVES = await readCommands();

function jsonOf(name: string): JsonForm {
  const option = LEAVES.get(name)?.options?.["json"];
  return option?.json ?? expect.fail(`attune ${name} has no --json: give its options json() of options.ts`);
}

const NO_DIFFERENCE = { tosses: [], hasNull: false, distance: 0.1 };

async function seed(): Promise<void> {
  await run("keys", "create", "--name", "ci");
  await run("end-users", "update", "ada", "--usd-day", "2");
  await run("alerts", "add-destination", "ops", "--webhook", "https://1.1.1.1/a-secret");
  await run("projects", "create", "gone");
  await run("projects", "delete", "gone", "--yes");
  const { store } = service;
  await store.query().insertInto("UserAccount").values(newAccount("ada@example.com", "hash")).execute();
  const condition = { projectId: DEFAULT_PROJECT.id, rule: "drift", kind: "drift", subject: "m", value: 1 } as const;
  await changeAlerts(store, { opened: [{ ...condition, summary: "drifted", threshold: 1 }], seen: [], closed: [] });
  const state = { version: 1, updatedAt: new Date(0), rewards: 12, snapshot: null };
  const learned = { projectId: DEFAULT_PROJECT.id, model: "gpt-6-astra", ...state };
  await store.query().insertInto("LearnedState").values(learned).execute();
  const key = { model: "gpt-6-astra", place: { upstream: "b", model: "m" } };
  const sample = { key, plainPlace: { upstream: "a", model: "m" }, comparison: NO_DIFFERENCE };
  await createAuditStore(store).change(key, (known) => addSample(known, sample, new Date(0)), undefined);
}

describe("--json", () => {
  const newFolder = useTemporaryFolders();
  beforeAll(seed);

  it("is there for every command that lists or shows something", () => {
    expect([...LEAVES.keys()].filter((name) => !OTHERS.has(name)).sort()).toEqual(Object.keys(READS).sort());
    for (const name of Object.keys(READS)) jsonOf(name);
  });

  it.each(Object.entries(READS))("of %s prints what its help names", async (name, { args = [], here }) => {
    const { form, members } = jsonOf(name);
    const printed = await (here ? runHere : run)(...name.split(" "), ...args, "--json");
    const [first] = form === "list" ? JSON.parse(printed).data : printed.split("\n").map((line) => JSON.parse(line));
    expect(Object.keys(first).sort()).toEqual([...members].sort());
  });

  it.each([
    ["projects list --deleted", "--deleted"],
    ["apply --list", "--list"],
  ])("of %s prints what its help names", async (command, flag) => {
    if (flag === "--list") await run("apply", "-f", EXAMPLE, "--yes", "--secrets-out", join(newFolder(), "s"));
    const option = LEAVES.get(command.split(" --")[0] ?? "")?.options?.[flag.slice(2)];
    const [first] = JSON.parse(await run(...command.split(" "), "--json")).data;
    expect(option?.summary).toContain(`with --json ${Object.keys(first).join(", ")}`);
  });

  it("is documented with its names", () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/reference/commands.md"), "utf8");
    for (const name of Object.keys(READS)) expect(page).toContain(describeJson(jsonOf(name)));
  });
});
