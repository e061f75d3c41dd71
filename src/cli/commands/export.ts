import { writeFileSync } from "node:fs";
import { stringify } from "yaml";
import { DocumentSchema } from "../../../gen/attune/admin/v1/document_pb.ts";
import { withAdmin } from "../admin-client.ts";
import { messageToJson } from "../apply/document-json.ts";
import { defineRootCommand, flag, option } from "../command.ts";
import { PROJECT_OR_ALL, SERVICE, SERVICE_HELP } from "../options.ts";
import { fail } from "../output.ts";

/** Only its owner reads a file with hashes. */
const MODE = 0o600;

/** Readers of YAML 1.1 take `yes` and `on` for true where they are not quoted. */
const FORM = { lineWidth: 0, compat: "yaml-1.1" } as const;

/** `attune export`. */
export const exportProjects = defineRootCommand({
  options: {
    ...PROJECT_OR_ALL,
    hashes: flag("also ids and hashes of keys, with which the same keys work on another database"),
    out: option("file", "write it to a new file that only you can read"),
    ...SERVICE,
  },
  help: SERVICE_HELP,
  async run({ project = "", hashes, out, ...options }) {
    await withAdmin(options, { project }, async (admin) => {
      const { document } = await admin.exportProjects({ project, hashes });
      const written = document === undefined ? {} : messageToJson(DocumentSchema, document);
      const text = `# Written by 'attune export'. 'attune apply -f FILE' applies it.\n${stringify(written, FORM)}`;
      if (out === undefined) process.stdout.write(text);
      else writeNew(out, text);
    });
  },
});

function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: "wx", mode: MODE });
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? thrown.code : thrown;
    fail(`--out: '${file}' cannot be made (${code})`);
  }
}
