import { writeFileSync } from "node:fs";
import { stringify } from "yaml";
import { DocumentSchema } from "../../gen/attune/admin/v1/document_pb.ts";
import { type RemoteOptions, withAdmin } from "./admin-client.ts";
import { messageToJson } from "./apply/document-json.ts";
import { fail } from "./output.ts";

/** The options of `attune export`. */
export interface ExportOptions extends RemoteOptions {
  readonly project?: string;
  readonly hashes?: true;
  readonly out?: string;
}

/** Only its owner reads a file with hashes. */
const MODE = 0o600;

/** Readers of YAML 1.1 take `yes` and `on` for true where they are not quoted. */
const FORM = { lineWidth: 0, compat: "yaml-1.1" } as const;

/** Writes projects as a file for `attune apply`, to standard output or to a file that must not exist. */
export async function runExport(options: ExportOptions): Promise<void> {
  const { project = "", hashes = false, out } = options;
  await withAdmin(options, { project }, async (admin) => {
    const { document } = await admin.exportProjects({ project, hashes });
    const written = document === undefined ? {} : messageToJson(DocumentSchema, document);
    const text = `# Written by 'attune export'. 'attune apply -f FILE' applies it.\n${stringify(written, FORM)}`;
    if (out === undefined) process.stdout.write(text);
    else writeNew(out, text);
  });
}

function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: "wx", mode: MODE });
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? thrown.code : thrown;
    fail(`--out: '${file}' cannot be made (${code})`);
  }
}
