import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { KINDS } from "../../scripts/docs/site/.vitepress/pages.ts";
import { createWholeProgram } from "../../src/cli/program.ts";
import { configSchema } from "../../src/config/schema.ts";
import { load, useFolder } from "../config/harness.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...markdownIn("docs")];
/** Values for the variables of the environment that a page names. */
function environmentOf(code: string): Record<string, string> {
  const names = [...code.matchAll(/\$\{(?:env:)?([A-Z_]+)/g)].map(([, name = ""]) => name);
  return Object.fromEntries(names.map((name) => [name, secretFor(name)]));
}

const PEM_FILES: Readonly<Record<string, string>> = { crt: "server.crt", key: "server.key", pem: "authority.crt" };

/** Refers to a certificate or key where a page names a file of one, and gives a secret for all other files. */
function contentOf(reference: string): string {
  const name = PEM_FILES[/\.(\w+)\}$/.exec(reference)?.[1] ?? ""];
  return name === undefined ? "a-secret-of-a-file" : `\${file:${join(ROOT, "test", "support", "certificates", name)}}`;
}

function secretFor(name: string): string {
  if (name.endsWith("_URL")) return "https://example.com/hook";
  return /(WEBHOOK|SIEM)_SECRET$/.test(name) ? `whsec_${"A".repeat(32)}` : "a-secret-of-the-provider";
}

function markdownIn(folder: string): string[] {
  const paths = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" });
  return paths.filter((path) => path.endsWith(".md")).map((path) => join(folder, path));
}

function read(page: string): string {
  return readFileSync(join(ROOT, page), "utf8");
}

/** The text without code, in which brackets are no links and `#` begins no heading. */
function prose(page: string): string {
  return read(page)
    .replace(/^ *```.*?^ *```/gms, "")
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ""));
}

/** Anchors of a page's headings, as code hosts make them. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of prose(page).matchAll(/^#+ (.+)$/gm)) {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").trim();
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-");
    let anchor = slug;
    for (let copy = 1; anchors.has(anchor); copy++) anchor = `${slug}-${copy}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Code blocks of a language, each with the line that it begins at. */
function blocks(page: string, language: string): { at: string; code: string }[] {
  const source = read(page);
  return [...source.matchAll(new RegExp(`^( *)\`\`\`${language}\\n(.*?)^ *\`\`\``, "gms"))].map((match) => ({
    at: `${page}:${source.slice(0, match.index).split("\n").length}`,
    code: (match[2] ?? "").replaceAll(new RegExp(`^${match[1] ?? ""}`, "gm"), ""),
  }));
}

describe("the pages of the documentation", () => {
  useFolder();

  it("link to what is there", () => {
    const anchors = new Map(PAGES.map((page) => [page, anchorsOf(page)]));
    const dead = PAGES.flatMap((page) =>
      [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = ""]) => {
        if (/^[a-z]+:/.test(link)) return [];
        const [path = "", anchor] = link.split("#");
        const target = path === "" ? page : relative(ROOT, join(ROOT, dirname(page), path));
        if (!existsSync(join(ROOT, target))) return [`${page}: ${link}`];
        if (anchor === undefined || statSync(join(ROOT, target)).isDirectory()) return [];
        return anchors.get(target)?.has(anchor) === true ? [] : [`${page}: ${link}`];
      }),
    );
    expect(dead).toEqual([]);
  });

  it("have no tags but those of pictures: the site can't be built with others", () => {
    const others = PAGES.flatMap((page) =>
      [
        ...prose(page)
          .replaceAll(/(`+)[^\n]*?\1/g, "")
          .matchAll(/<\/?([a-z][\w-]*)/gi),
      ].flatMap(([tag, name = ""]) => (["p", "picture", "source", "img"].includes(name) ? [] : [`${page}: ${tag}`])),
    );
    expect(others).toEqual([]);
  });

  it("show pictures that are there, in light and dark, and all of these", () => {
    const shown = PAGES.flatMap((page) =>
      [...read(page).matchAll(/ (?:src|srcset)="([^":]+)"/g)].map(([, path = ""]) => join(dirname(page), path)),
    );
    const taken = readdirSync(join(ROOT, "docs", "pictures")).map((name) => join("docs", "pictures", name));
    expect([...new Set(shown)].sort()).toEqual(taken.sort());
  });

  it("are all in the list of the site", () => {
    const listed = KINDS.flatMap(([, names]) => names).map((name) => `docs/${name}.md`);
    const others = /^docs\/(README|reference\/README)\.md$|^docs\/(decisions|notes)\//;
    const pages = PAGES.filter((page) => page.startsWith("docs/") && !others.test(page));
    expect(listed.filter((page) => page !== "docs/decisions/README.md").sort()).toEqual(pages.sort());
  });

  it("have JSON that parses", () => {
    const parses = ({ code }: { code: string }): boolean => {
      // Values that differ from call to call are written as three dots.
      const text = code.replaceAll("…", "null").replaceAll(/"null"/g, '""');
      return text.split(/\n(?=[{[])/).every((value) => isJson(value));
    };
    const broken = PAGES.flatMap((page) => blocks(page, "json")).filter((block) => !parses(block));
    expect(broken.map(({ at }) => at)).toEqual([]);
  });

  it("have settings that the service takes", () => {
    const keys = new Set(Object.keys(configSchema.shape));
    const mistakes = PAGES.flatMap((page) => blocks(page, "yaml")).flatMap(({ at, code }) => {
      // A part that begins further in, and the file of another program, are shown and not configured.
      if (/^ /.test(code)) return [];
      const value: unknown = parse(code);
      if (!Object.keys(value ?? {}).every((key) => keys.has(key))) return [];
      try {
        load(code.replaceAll(/\$\{file:[^}]+\}/g, contentOf), environmentOf(code));
        return [];
      } catch (thrown) {
        return [`${at}: ${thrown instanceof Error ? thrown.message : String(thrown)}`];
      }
    });
    expect(mistakes).toEqual([]);
  });

  it("name files that exist", () => {
    const missing = PAGES.filter((page) => !page.startsWith("docs/decisions/") && !page.startsWith("docs/notes/"))
      .filter((page) => page !== "CHANGELOG.md")
      .flatMap((page) =>
        [...read(page).matchAll(/`((?:src|test|proto|scripts|packaging|clients)\/[\w./-]+)`/g)]
          .map(([, path = ""]) => path)
          .filter((path) => !/NAME/.test(path) && ![path, `${path}.ts`].some((name) => existsSync(join(ROOT, name))))
          .map((path) => `${page}: ${path}`),
      );
    expect(missing).toEqual([]);
  });

  it("have commands and options that exist", async () => {
    const program = await createWholeProgram();
    const unknown = PAGES.flatMap((page) => blocks(page, "sh")).flatMap(({ at, code }) =>
      code
        .replaceAll("\\\n", " ")
        .split("\n")
        .flatMap((line) => {
          const [, words] =
            /(?:^|[;&|] *|[A-Z_]+=\S+ )(?:npm run -s attune --|npx attune|attune) ([^|;&#>]*)/.exec(line) ?? [];
          return words === undefined || understands(program, words) ? [] : [`${at}: ${line}`];
        }),
    );
    expect(unknown).toEqual([]);
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Tells whether a line's words begin with commands of the program, and all its options are theirs. */
function understands(program: Command, line: string): boolean {
  let command = program;
  const words = line
    .replaceAll(/"[^"]*"/g, "TEXT")
    .split(/\s+/)
    .filter(Boolean);
  for (const word of words) {
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (next === undefined) break;
    command = next;
  }
  const options = new Set(["--help", "--version", ...command.options.map(({ long }) => long)]);
  const asked = words.filter((word) => word.startsWith("--")).map((word) => word.split("=")[0] ?? "");
  return (command !== program || words[0] === "--help") && asked.every((option) => options.has(option));
}
