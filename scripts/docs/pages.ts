import { readFileSync } from "node:fs";
import { join } from "node:path";
import { KINDS } from "./site/.vitepress/pages.ts";

const ROOT = join(import.meta.dirname, "..", "..");

interface Page {
  /** Its path from the root of the repository. */
  readonly path: string;
  readonly kind: string;
  readonly markdown: string;
}

/** The README and the pages that people have written: those that are made from sources are checked where they are made. */
export function writtenPages(): Page[] {
  const listed = [["Top", ["../README", "README"]] as const, ...KINDS];
  return listed.flatMap(([kind, names]) =>
    names
      .filter((name) => !name.startsWith("reference/") && name !== "conformance" && name !== "decisions/README")
      .map((name) => {
        const path = join("docs", `${name}.md`);
        return { path, kind, markdown: readFileSync(join(ROOT, path), "utf8") };
      }),
  );
}
