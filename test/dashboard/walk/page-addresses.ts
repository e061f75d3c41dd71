import { join } from "node:path";

interface Entry {
  readonly path: string;
  readonly scope: "project" | "account";
  readonly below?: Readonly<Record<string, unknown>>;
}

/** Lists the addresses of all pages from the table that the router has, so that a new page is among them by itself. */
export async function listPageAddresses(): Promise<string[]> {
  const web = join(import.meta.dirname, "..", "..", "..", "src", "dashboard", "web");
  // Not by literal paths: the pages have another configuration of TypeScript.
  const { PAGES } = (await import(join(web, "pages.ts"))) as { readonly PAGES: readonly Entry[] };
  const { listAddresses } = (await import(join(web, "page-entry.ts"))) as {
    readonly listAddresses: (entry: Entry) => readonly (readonly [string, unknown])[];
  };
  return PAGES.flatMap((entry) => listAddresses(entry).map(([address]) => address));
}
