import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { AuditEntry } from "../../../gen/attune/admin/v1/audit_pb.ts";
import { verifyAuditLog } from "../../store/audit/verify-audit-log.ts";
import { type AdminClient, readProjects, withAdmin } from "../admin-client.ts";
import { defineRootCommand, flag, option, type ValuesOf, withPreset } from "../command.ts";
import { json, readLimit, readTime, SERVICE } from "../options.ts";
import { fail, print, printJson, printTable } from "../output.ts";
import { withStore } from "../with-config.ts";

/** Longest text of a change in the table; `--json` has all of it. */
const MOST_CHARACTERS = 80;

const PAGE_SIZE = 1000;

const MEMBERS = [
  ...["sequence", "at", "actor", "via", "address", "requestId", "projectId", "action", "target"],
  ...["before", "after", "hash"],
];

const OPTIONS = {
  from: option("time", "beginning, such as 2027-01-31 or 2027-01-31T12:00:00Z", readTime),
  to: option("time", "end", readTime),
  project: option("project", "id or name of a project; all changes if absent"),
  actor: option("actor", "id or name of the author, such as an email address"),
  action: option("action", "an action such as keys.create, or an area such as keys"),
  limit: withPreset(option("count", "maximum number of entries in the table, the latest", readLimit), 100),
  ...json("lines", MEMBERS),
  verify: flag("check the hashes of all entries, and print the latest; exits with 1 if they don't match"),
  ...SERVICE,
};

type Filter = ValuesOf<typeof OPTIONS>;

/** `attune audit-log`. */
export const auditLog = defineRootCommand({
  options: OPTIONS,
  help: "\n--json prints all entries, the oldest first, regardless of --limit.",
  async run(options) {
    const { limit, url } = options;
    if (options.verify) return await verify(url);
    await withAdmin(options, async (admin) => {
      if (options.json) for await (const entry of readEntries(admin, options)) printJson(toRecord(entry));
      else await printEntries(admin, await collect(readEntries(admin, options), limit));
    });
  },
});

async function verify(url: string | undefined): Promise<void> {
  if (url !== undefined) {
    fail("--verify reads every entry of the database: run it where the database is, without --url");
  }
  await withStore(async (store) => {
    const { entries, sequence, hash, problem } = await verifyAuditLog(store);
    if (problem !== undefined) fail(`the audit log is not as it was written: ${problem}`);
    print(`${entries} entries are as they were written; the latest is ${sequence}, ${hash}`);
  });
}

/** Reads all entries, page by page: for an export the oldest first, else the latest first. */
async function* readEntries(
  admin: AdminClient,
  { from, to, project = "", actor = "", action = "", json: isJson, limit }: Filter,
): AsyncGenerator<AuditEntry> {
  const range = { ...(from && { from: timestampFromDate(from) }), ...(to && { to: timestampFromDate(to) }) };
  const filter = { ...range, project, actor, action };
  const pageSize = isJson ? PAGE_SIZE : Math.min(limit, PAGE_SIZE);
  for (let pageToken: string | undefined; pageToken !== ""; ) {
    const page = { pageSize, pageToken: pageToken ?? "", oldestFirst: isJson };
    const { entries, nextPageToken } = await admin.listAuditEntries({ ...filter, ...page });
    yield* entries;
    pageToken = nextPageToken;
  }
}

async function collect(entries: AsyncGenerator<AuditEntry>, most: number): Promise<readonly AuditEntry[]> {
  const collected: AuditEntry[] = [];
  for await (const entry of entries) if (collected.push(entry) === most) break;
  return collected;
}

type State = Readonly<Record<string, unknown>> | null;

/** Returns an entry as exports have it. */
function toRecord({ sequence, at, actor, via, address, requestId, projectId, action, target, ...rest }: AuditEntry) {
  const { kind = "", id = "", label = "" } = actor ?? {};
  const { kind: targetKind = "", id: targetId = "", name = "" } = target ?? {};
  return {
    sequence: Number(sequence),
    at: at === undefined ? null : timestampDate(at),
    actor: { kind, id, label },
    via,
    address: address ?? null,
    requestId: requestId ?? null,
    projectId: projectId ?? null,
    action,
    target: { kind: targetKind, id: targetId, name },
    before: parseState(rest.before),
    after: parseState(rest.after),
    hash: rest.hash,
  };
}

function parseState(text: string | undefined): State {
  return text === undefined ? null : (JSON.parse(text) as State);
}

async function printEntries(admin: AdminClient, entries: readonly AuditEntry[]): Promise<void> {
  const names = new Map((await readProjects(admin)).map(({ id, name }) => [id, name]));
  printTable(
    ["TIME", "ACTOR", "FROM", "ACTION", "PROJECT", "TARGET", "CHANGE"],
    entries
      .map(toRecord)
      .map(({ at, actor, via, address, action, projectId, target, before, after }) => [
        ...[at?.toISOString() ?? "", actor.label || actor.kind, address ?? via, action],
        projectId === null ? "-" : (names.get(projectId) ?? projectId),
        `${target.kind} ${target.name || target.id}`.trimEnd(),
        describeChange(before, after),
      ]),
  );
}

function describeChange(before: State, after: State): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const text = names
    .map((name) => {
      const [from, to] = [before?.[name], after?.[name]].map((value) => JSON.stringify(value) ?? "-");
      return before === null || from === "-" ? `${name}: ${to}` : `${name}: ${from} -> ${to}`;
    })
    .join(", ");
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1).toWellFormed()}…`;
}
