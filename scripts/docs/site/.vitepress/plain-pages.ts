import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DOCS, KINDS, titleOf } from "./pages.ts";

/**
 * Puts the Markdown of each page beside its HTML, and llms.txt (https://llmstxt.org) at the top, since agents read
 * documentation too.
 */
export function writePlainPages(folder: string): void {
  const isPlain = (path: string): boolean =>
    !/notes$/.test(path) && (!/\.[a-z]+$/i.test(path) || /\.(md|json|yaml|svg|webp)$/.test(path));
  cpSync(DOCS, folder, { recursive: true, filter: isPlain });
  const lists = KINDS.map(([kind, pages]) => {
    const lines = pages.map((page) => `- [${titleOf(page)}](/${page}.md)${about(page)}`);
    return `## ${kind}\n\n${lines.join("\n")}\n`;
  });
  const summary = "LLM inference and feedback service: three public JSON formats over one typed RPC core.";
  writeFileSync(join(folder, "llms.txt"), `# Attune\n\n> ${summary}\n\n${lists.join("\n")}`);
}

/** The first sentence of a page, as its summary; that of a written table says only by what it was written. */
function about(page: string): string {
  const paragraphs = readFileSync(join(DOCS, `${page}.md`), "utf8").split(/\n\n+/);
  const first = paragraphs.slice(1).find((text) => !text.startsWith("Written by ")) ?? "";
  const sentence = /^[A-Z].*?[.:](?=\s|$)/s.exec(first)?.[0].replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return sentence === undefined ? "" : `: ${sentence.replace(/\s+/g, " ").replace(/:$/, ".")}`;
}
