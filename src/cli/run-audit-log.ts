import { type AuditRecord, readAllAuditEntries, readAuditEntries } from "../store/audit/read-entries.ts";
import { verifyAuditLog } from "../store/audit/verify-audit-log.ts";
import { listProjects } from "../store/dashboard/projects.ts";
import type { Store } from "../store/types/store.ts";
import type { AuditLogOptions } from "./audit-log-options.ts";
import { findProject } from "./find-project.ts";
import { fail, print, printTable } from "./output.ts";
import { withStore } from "./with-config.ts";

/** Longest text of a change in the table; `--json` has all of it. */
const MOST_CHARACTERS = 80;

/** Prints entries of the audit log, or checks it; ends the command where something of it was changed. */
export async function runAuditLog({ json, verify, project, limit, ...filter }: AuditLogOptions): Promise<void> {
  await withStore(async (store) => {
    if (verify) return await runVerify(store);
    const projectId = project === undefined ? undefined : (await findProject(store, project)).id;
    if (!json) return printEntries(store, await readAuditEntries(store, { ...filter, projectId, limit }));
    for await (const record of readAllAuditEntries(store, { ...filter, projectId })) print(JSON.stringify(record));
  });
}

async function runVerify(store: Store): Promise<void> {
  const { entries, sequence, hash, problem } = await verifyAuditLog(store);
  if (problem !== undefined) fail(`the audit log is not as it was written: ${problem}`);
  print(`${entries} entries are as they were written; the latest is ${sequence}, ${hash}`);
}

async function printEntries(store: Store, records: readonly AuditRecord[]): Promise<void> {
  const names = new Map((await listProjects(store)).map(({ id, name }) => [id, name]));
  printTable(
    ["TIME", "ACTOR", "FROM", "ACTION", "PROJECT", "TARGET", "CHANGE"],
    records.map(({ at, actor, via, address, action, projectId, target, before, after }) => [
      ...[at.toISOString(), actor.label || actor.kind, address ?? via, action],
      projectId === null ? "-" : (names.get(projectId) ?? projectId),
      `${target.kind} ${target.name || target.id}`.trimEnd(),
      describeChange(before, after),
    ]),
  );
}

function describeChange(before: AuditRecord["before"], after: AuditRecord["after"]): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const text = names
    .map((name) => {
      const [from, to] = [before?.[name], after?.[name]].map((value) => JSON.stringify(value) ?? "-");
      return before === null || from === "-" ? `${name}: ${to}` : `${name}: ${from} -> ${to}`;
    })
    .join(", ");
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1).toWellFormed()}…`;
}
