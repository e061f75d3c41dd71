import { createWriteStream, writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { stringify } from "yaml";
import { DocumentSchema } from "../../../gen/attune/admin/v1/document_pb.ts";
import { isUuid } from "../../lib/ids.ts";
import type { ExportedInference } from "../../store/dashboard/export-inferences.ts";
import type { HistoryRow } from "../../store/dashboard/reads/describe-rows.ts";
import type { ExportQuery, RequestExports } from "../../store/dashboard/request-exports.ts";
import { withAdmin } from "../admin-client.ts";
import { messageToJson } from "../apply/document-json.ts";
import { type CommandGroup, choice, defineCommand, flag, option, UsageError, withPreset } from "../command.ts";
import { findProject } from "../find-project.ts";
import { PROJECT, PROJECT_OR_ALL, readMonth, readTime, SERVICE, SERVICE_HELP } from "../options.ts";
import { fail, tell } from "../output.ts";
import { withStore } from "../with-config.ts";

/** Only its owner reads a file with hashes, or with what people wrote. */
const MODE = 0o600;

/** Readers of YAML 1.1 take `yes` and `on` for true where they are not quoted. */
const FORM = { lineWidth: 0, compat: "yaml-1.1" } as const;

const REQUESTS_HELP = `
csv and jsonl have the same columns, each of one type: facts, first words, counts of feedback. records has a JSON object
a line with the whole request and answer, attempts and feedback. The newest comes first. The audit log notes the export.
Runs on the database of the configuration, also while Attune runs.`;

/** `attune export`. */
export const exports: CommandGroup = {
  standard: "projects",
  commands: {
    projects: defineCommand({
      summary: "write projects, keys, members and limits as a file for 'attune apply', without secrets",
      options: {
        ...PROJECT_OR_ALL,
        hashes: flag("also ids and hashes of keys, with which the same keys work on another database"),
        out: option("file", "write it to a new file that only you can read"),
        ...SERVICE,
      },
      help: SERVICE_HELP,
      examples: ["attune export projects --out projects.yaml"],
      async run({ project = "", hashes, out, ...options }) {
        await withAdmin(options, { project }, async (admin) => {
          const { document } = await admin.exportProjects({ project, hashes });
          const written = document === undefined ? {} : messageToJson(DocumentSchema, document);
          const text = `# Written by 'attune export'. 'attune apply -f FILE' applies it.\n${stringify(written, FORM)}`;
          if (out === undefined) process.stdout.write(text);
          else writeNew(out, text);
        });
      },
    }),

    requests: defineCommand({
      summary: "write the requests of a month or another time as CSV or JSON lines, however many",
      options: {
        month: option("month", "month of the UTC calendar, such as 2027-01", readMonth),
        from: option("time", "beginning, such as 2027-01-31 or 2027-01-31T12:00:00Z", readTime),
        to: option("time", "end, which is not part of it; now if absent", readTime),
        format: withPreset(choice("format", "form of the file", ["csv", "jsonl", "records"]), "csv"),
        before: option("id", "go on after an export that broke off: the id of its last request", readId),
        out: option("file", "write it to a new file that only you can read"),
        ...PROJECT,
      },
      help: REQUESTS_HELP,
      examples: [
        "attune export requests --month 2026-11 > requests.csv",
        "attune export requests --from 2026-11-28 --format records --project search --out requests.jsonl",
      ],
      findMistake({ month, from, to }) {
        if ((month === undefined) === (from === undefined)) return "say which time: --month, or --from";
        if (month !== undefined && to !== undefined) return "--to does not go with --month";
        return from !== undefined && to !== undefined && from >= to ? "--from must be before --to" : undefined;
      },
      async run({ month, from, to, format, before, out, project: asked }) {
        await withStore(async (store) => {
          const { createDashboardStore } = await import("../../store/dashboard/dashboard-store.ts");
          const { requestExports } = createDashboardStore(store);
          const { id: projectId } = await findProject(store, asked);
          const query = { projectId, format, cursor: before, ...(month ?? { from, to }) };
          await writeRequests(requestExports, query, out);
        });
      },
    }),
  },
};

function readId(text: string): string {
  if (isUuid(text)) return text;
  throw new UsageError("must be the id of a request");
}

async function writeRequests(requests: RequestExports, query: ExportQuery, out: string | undefined): Promise<void> {
  const { exportTable } = await import("../../dashboard/history/export-table.ts");
  const { exportLine } = await import("../../dashboard/history/export-line.ts");
  const { ContentReader } = await import("../../dashboard/history/content-reader.ts");
  const contents = new ContentReader(() => {});
  const gone = new AbortController();
  let count = 0;
  async function* counted(pages: AsyncIterable<readonly HistoryRow[]>) {
    for await (const page of pages) {
      count += page.length;
      yield page;
    }
  }
  async function* records(inferences: AsyncIterable<ExportedInference>) {
    for await (const inference of inferences) {
      count += 1;
      yield* exportLine(inference, contents);
    }
  }
  const { format } = query;
  const lines =
    format === "csv" || format === "jsonl"
      ? exportTable(counted(requests.facts(query, gone.signal)), format)
      : records(requests.whole(query, gone.signal));
  const body = Readable.from(lines, { objectMode: false, highWaterMark: 2 ** 16 });
  try {
    if (out === undefined) await pipeline(body, process.stdout, { end: false });
    else await pipeline(body, createWriteStream(out, { flags: "wx", mode: MODE }));
    tell(`${count} ${count === 1 ? "request" : "requests"}`);
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    // The reader has what it wanted.
    if (code === "EPIPE") return;
    fail(code === "EEXIST" ? `--out: '${out}' exists` : `the export broke off after ${count} requests: ${message}`);
  } finally {
    gone.abort();
    await contents.close();
  }
}

function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: "wx", mode: MODE });
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? thrown.code : thrown;
    fail(`--out: '${file}' cannot be made (${code})`);
  }
}
