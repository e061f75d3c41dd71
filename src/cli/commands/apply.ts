import { unlinkSync } from "node:fs";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { ApplyProjectsResponse } from "../../../gen/attune/admin/v1/admin_pb.ts";
import { type Change, ItemKindSchema } from "../../../gen/attune/admin/v1/document_pb.ts";
import { decodeError } from "../../facade/client/decode-error.ts";
import { ErrorReason } from "../../hub/error.ts";
import { enumWord } from "../../lib/protobuf/enum-word.ts";
import { describeOwner } from "../../quotas/describe-quota.ts";
import { QUOTA_KINDS } from "../../quotas/quota.ts";
import { type AdminClient, readPages, readProjects, withAdmin } from "../admin-client.ts";
import { changesToJson, describeChanges } from "../apply/describe-changes.ts";
import { makeSecrets, type NewSecrets, writeSecrets } from "../apply/new-secrets.ts";
import { type DocumentFile, readDocument } from "../apply/read-document.ts";
import { defineRootCommand, flag, option, type ValuesOf, withPreset } from "../command.ts";
import { configuredUrl } from "../configured-url.ts";
import { confirm } from "../confirm.ts";
import { CONFIRMATION, json, SERVICE, SERVICE_HELP } from "../options.ts";
import { fail, print, printJson, printJsonList, printTable, tell } from "../output.ts";
import { readConfig } from "../with-config.ts";

/** A large file takes longer than single operations. */
const WITHIN = { timeoutMs: 300_000 };

/** The exit status where there is something to change and nobody said that it should be. */
const NOT_APPLIED = 2;

const HELP = `
The command shows what it would change, and asks on a terminal. Elsewhere it changes something with --yes alone, and
without it ends with 2 where there is something to change. What the file does not have stays, unless --prune removes
it, which takes only what an earlier file created, changed or adopted. See docs/projects-as-code.md.
${SERVICE_HELP}`;

const OPTIONS = {
  file: { ...withPreset(option("file", "file of projects; - is standard input"), "projects.yaml"), short: "f" },
  ...CONFIRMATION,
  prune: flag("remove managed items that aren't in the file"),
  secretsOut: option("file", "new file, which only you can read, for the secrets of new keys and invitations"),
  list: flag("list managed items without changing anything; with --json kind, project, name, since"),
  ...json("object", ["applied", "changes", "absent", "kept"]),
  ...SERVICE,
};

type ApplyValues = ValuesOf<typeof OPTIONS>;

/** `attune apply`. */
export const apply = defineRootCommand({
  options: OPTIONS,
  help: HELP,
  examples: ["attune apply --file projects.yaml", "attune apply --file projects.yaml --yes --secrets-out secrets.json"],
  run: (options) => (options.list ? listManaged(options) : applyFile(options)),
});

/** Shows what a file of projects changes, and applies it where that is wanted. */
async function applyFile(options: ApplyValues): Promise<void> {
  const file = readDocument(options.file);
  await withAdmin(options, async (admin) => {
    const { prune, yes } = options;
    const plan = await call(file, () => admin.applyProjects({ document: file.document, prune, dryRun: true }, WITHIN));
    if (!options.json) for (const line of describeChanges(plan)) print(line);
    if (plan.changes.length === 0) return tellJson(options, plan, false);
    checkSecrets(plan.changes, options);
    // Nobody is asked of what was not shown.
    if (!yes && (options.json || !(await confirm({ text: "Apply it?", yes })))) {
      tellJson(options, plan, false);
      if (!options.json) tell("Nothing was changed: --yes applies it.");
      process.exitCode = NOT_APPLIED;
      return;
    }
    await applyPlan(admin, { file, plan, options });
    tellJson(options, plan, true);
    if (!options.json) print("Applied.");
  });
}

interface Planned {
  readonly file: DocumentFile;
  readonly plan: ApplyProjectsResponse;
  readonly options: ApplyValues;
}

/** Keeps the secrets before the service knows their hashes: none is lost, whatever happens in between. */
async function applyPlan(admin: AdminClient, { file, plan, options }: Planned): Promise<void> {
  const { document } = file;
  const secrets = makeSecrets(document, plan.changes, options.url ?? configuredUrl(readConfig()));
  const hasSecrets = secrets.keys.length + secrets.invitations.length > 0;
  const { prune, secretsOut } = options;
  if (hasSecrets) keepSecrets(secrets, secretsOut);
  try {
    await admin.applyProjects({ document, prune, etag: plan.etag }, WITHIN);
  } catch (thrown) {
    const isRefused = decodeError(thrown).reason !== ErrorReason.UNAVAILABLE;
    if (hasSecrets) tellUnused(secretsOut, isRefused);
    failAt(file, thrown);
  }
}

function keepSecrets(secrets: NewSecrets, file: string | undefined): void {
  if (file === undefined) {
    for (const { project, name, secret } of secrets.keys) print(`key ${project}/${name}: ${secret}`);
    for (const { project, email, link } of secrets.invitations) print(`invitation ${project}/${email}: ${link}`);
    print("Save them: they aren't shown again.");
    return;
  }
  try {
    writeSecrets(file, secrets);
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? thrown.code : thrown;
    fail(
      `--secrets-out: '${file}' can't be created (${code}): name a file that doesn't exist yet. Nothing was changed`,
    );
  }
}

function tellUnused(file: string | undefined, isRefused: boolean): void {
  if (!isRefused) tell("It isn't known whether it was applied: keep the secrets, and run the command again.");
  else if (file === undefined) tell("The secrets above are of no use.");
  else unlinkSync(file);
}

/** Ends the command where a secret would be lost. */
function checkSecrets(changes: readonly Change[], { secretsOut, json, yes }: ApplyValues): void {
  const needed = changes.filter(({ needsHash }) => needsHash);
  const isShown = !json && process.stdout.isTTY;
  const isOnlyShown = !yes && !process.stdin.isTTY;
  if (needed.length === 0 || secretsOut !== undefined || isShown || isOnlyShown) return;
  const names = needed.slice(0, 3).map(({ project, name }) => `${project}/${name}`);
  const most = needed.length > names.length ? ", ..." : "";
  fail(
    `${needed.length} new secrets would be lost (${names.join(", ")}${most}): give --secrets-out FILE, ` +
      "or in the file " +
      "a secret or a hash of each key. Nothing was changed",
  );
}

function tellJson({ json }: ApplyValues, plan: ApplyProjectsResponse, applied: boolean): void {
  const [changes, absent, kept] = [plan.changes, plan.absent, plan.kept].map(changesToJson);
  if (json) printJson({ applied, changes, absent, kept });
}

/** Calls the service; ends the command with the place in the file of what it refuses. */
async function call<T>(file: DocumentFile, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    failAt(file, thrown);
  }
}

function failAt(file: DocumentFile, thrown: unknown): never {
  const { facts, message } = decodeError(thrown);
  const { param = "", violations = [] } = facts;
  if (!param.startsWith("document")) throw thrown;
  const problems = violations.length > 0 ? violations : [{ param, problem: message.slice(`${param}: `.length) }];
  fail(problems.map((each) => file.describe(each.param, each.problem)).join("\n"));
}

/** Returns the name for people of the owner of limits, which `kind:name` stands for. */
function getOwner(project: string, item: string): string {
  const [, before, name = ""] = /^(\w+):(.*)$/s.exec(item) ?? [];
  const kind = QUOTA_KINDS.find((each) => each === before);
  return kind === undefined ? item : describeOwner({ kind, projectId: project, name });
}

/** Prints what is managed. */
async function listManaged(options: ApplyValues): Promise<void> {
  await withAdmin(options, async (admin) => {
    const items = await readPages("items", (page) => admin.listManagedItems(page));
    const names = new Map((await readProjects(admin)).map(({ id, name }) => [id, name]));
    const rows = items.map(({ kind, projectId, name, since }) => ({
      kind: enumWord(ItemKindSchema, ItemKindSchema.value[kind]?.name ?? "") ?? "",
      project: names.get(projectId) ?? projectId,
      name,
      since: since && timestampDate(since).toISOString(),
    }));
    if (options.json) return printJsonList(rows);
    const cells = rows.map(({ kind, project, name, since }) => [
      ...[kind, project || "-", (kind === "limits" ? getOwner(project, name) : name) || "-", since ?? ""],
    ]);
    printTable(["KIND", "PROJECT", "NAME", "MANAGED SINCE"], cells);
  });
}
