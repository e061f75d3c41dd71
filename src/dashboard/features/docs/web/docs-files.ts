import { type DocLink, listDocLinks } from "./parse-doc.ts";

/** The documentation's pages by their files. The text of each is loaded when it is opened. */
const FILES = import.meta.glob<string>(["../../../../../docs/*.md", "../../../../../docs/reference/*.md"], {
  query: "?raw",
  import: "default",
});
const FOLDER = "../../../../../docs/";

/** The page that lists the others. */
const INDEX = "README";

/** Reads the Markdown of a page such as `feedback` or `reference/metrics`; undefined if there is none. */
export async function readDoc(name: string = INDEX): Promise<string | undefined> {
  return await FILES[`${FOLDER}${name}.md`]?.();
}

/** Tells whether there is a page of a name. */
export function hasDoc(name: string): boolean {
  return `${FOLDER}${name}.md` in FILES;
}

/** Lists all pages, those that the table of contents names in its words, and the others by their files. */
export async function listDocs(): Promise<readonly DocLink[]> {
  const listed = listDocLinks((await readDoc()) ?? "").filter(({ target }) => hasDoc(target.replace(/#.*/, "")));
  const known = new Set(listed.map(({ target }) => target.replace(/#.*/, "")));
  const names = Object.keys(FILES).map((file) => file.slice(FOLDER.length, -".md".length));
  const others = names.filter((name) => name !== INDEX && !known.has(name));
  const label = (name: string) =>
    name
      .replaceAll("-", " ")
      .replace("/", ": ")
      .replace(/^./, (at) => at.toUpperCase());
  return [...listed, ...others.map((name) => ({ label: label(name), target: name }))];
}
