import { createWriteStream, writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { stringify } from "yaml";
import { RequestExportForm } from "../../../gen/attune/admin/v1/admin_pb.ts";
import { DocumentSchema } from "../../../gen/attune/admin/v1/document_pb.ts";
import { isUuid } from "../../lib/ids.ts";
import { defineAdminCommand } from "../admin-client.ts";
import { messageToJson } from "../apply/document-json.ts";
import { type CommandGroup, choice, flag, option, UsageError, withPreset } from "../command.ts";
import { PROJECT, PROJECT_OR_ALL, readMonth, readTime, SERVICE_HELP } from "../options.ts";
import { fail, tell } from "../output.ts";

/** Only its owner reads a file with hashes, or with what people wrote. */
const MODE = 0o600;

/** Readers of YAML 1.1 take `yes` and `on` for true where they are not quoted. */
const FORM = { lineWidth: 0, compat: "yaml-1.1" } as const;

const REQUESTS_HELP = `
csv and jsonl have the same columns, each of one type: facts, first words, counts of feedback. records has a JSON object
a line with the whole request and answer, attempts and feedback. The newest comes first. The audit log notes each page.
`;

/** `attune export`. */
export const exports: CommandGroup = {
  standard: "projects",
  commands: {
    projects: defineAdminCommand({
      summary: "write projects, keys, members and limits as a file for 'attune apply', without secrets",
      options: {
        ...PROJECT_OR_ALL,
        hashes: flag("include ids and hashes of keys, so the same keys work on another database"),
        out: option("file", "write it to a new file that only you can read"),
      },
      help: SERVICE_HELP,
      examples: ["attune export projects --out projects.yaml"],
      async run(admin, { project = "", hashes, out }) {
        const { document } = await admin.exportProjects({ project, hashes });
        const written = document === undefined ? {} : messageToJson(DocumentSchema, document);
        const text = `# Written by 'attune export'. 'attune apply -f FILE' applies it.\n${stringify(written, FORM)}`;
        if (out === undefined) process.stdout.write(text);
        else writeNew(out, text);
      },
    }),

    requests: defineAdminCommand({
      summary: "write the requests of a month or another time as CSV or JSON lines, without a limit",
      options: {
        month: option("month", "month of the UTC calendar, such as 2027-01", readMonth),
        from: option("time", "beginning, such as 2027-01-31 or 2027-01-31T12:00:00Z", readTime),
        to: option("time", "end (exclusive); now if absent", readTime),
        format: withPreset(choice("format", "file format", ["csv", "jsonl", "records"]), "csv"),
        before: option("id", "continue an interrupted export: the id of its last request", readId),
        out: option("file", "write it to a new file that only you can read"),
        ...PROJECT,
      },
      help: `${REQUESTS_HELP}${SERVICE_HELP}`,
      examples: [
        "attune export requests --month 2026-11 > requests.csv",
        "attune export requests --from 2026-11-28 --format records --project search --out requests.jsonl",
      ],
      findMistake({ month, from, to }) {
        if ((month === undefined) === (from === undefined)) return "give --month or --from";
        if (month !== undefined && to !== undefined) return "--to does not go with --month";
        return from !== undefined && to !== undefined && from >= to ? "--from must be before --to" : undefined;
      },
      async run(admin, { month, from, to, format, before = "", out, project }) {
        const time = month ?? { from, to };
        const request = {
          project,
          form: FORMS[format],
          ...(time.from && { from: timestampFromDate(time.from) }),
          ...(time.to && { to: timestampFromDate(time.to) }),
        };
        // The first page is asked for before there is a file: what is refused leaves none.
        const first = await admin.exportRequests({ ...request, pageToken: before });
        let count = 0;
        const texts = readOn(first, {
          next: (pageToken) => admin.exportRequests({ ...request, pageToken }),
          onPage: ({ requests }) => (count += requests),
        });
        if (await writeLines(out, texts)) tell(`${count} ${count === 1 ? "request" : "requests"}`);
      },
    }),
  },
};

const FORMS = {
  csv: RequestExportForm.CSV,
  jsonl: RequestExportForm.JSON_LINES,
  records: RequestExportForm.RECORDS,
} as const;

function readId(text: string): string {
  if (isUuid(text)) return text;
  throw new UsageError("must be the id of a request");
}

interface Page {
  readonly items: readonly string[];
  readonly nextPageToken: string;
  readonly requests: number;
}

interface Reading {
  readonly next: (pageToken: string) => Promise<Page>;
  readonly onPage: (page: Page) => void;
}

/** Yields the texts of pages. Ends the command where one cannot be read, and names the place to go on from. */
async function* readOn(first: Page, { next, onPage }: Reading): AsyncGenerator<string> {
  for (let page = first; ; ) {
    yield* page.items;
    onPage(page);
    const { nextPageToken } = page;
    if (nextPageToken === "") return;
    try {
      page = await next(nextPageToken);
    } catch (thrown) {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      fail(`the export was interrupted: ${message}. To continue: --before ${nextPageToken}`);
    }
  }
}

/** Writes texts to a new file or to standard output; resolves to false where its reader had what it wanted. */
async function writeLines(out: string | undefined, texts: AsyncIterable<string>): Promise<boolean> {
  const body = Readable.from(texts, { objectMode: false });
  try {
    if (out === undefined) await pipeline(body, process.stdout, { end: false });
    else await pipeline(body, createWriteStream(out, { flags: "wx", mode: MODE }));
    return true;
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
    if (code === "EPIPE") return false;
    if (code !== "EEXIST") throw thrown;
    return fail(`--out: '${out}' exists`);
  }
}

function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: "wx", mode: MODE });
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? thrown.code : thrown;
    fail(`--out: '${file}' can't be created (${code})`);
  }
}
