import { readFileSync, writeFileSync } from "node:fs";
import { replacePart } from "../../scripts/reference/markdown.ts";
import type { Outcome } from "./outcome.ts";
import type { Result } from "./play.ts";
import type { TestedServer } from "./server.ts";

const PAGE = "docs/compatibility.md";

const WORDS: Readonly<Record<Outcome["is"], string>> = { holds: "yes", named: "named", none: "-", fails: "no" };

/** Prints what came of a server and writes its part of the page; returns how many cells did not hold. */
export function writeReport(server: TestedServer, result: Result): number {
  const part = partOf(server, result);
  process.stdout.write(`${part}\n`);
  const page = replacePart(readFileSync(PAGE, "utf8"), "servers", (known) => {
    const former = known.split(/^### /m).slice(1);
    const parts = new Map(former.map((text) => [text.split("\n", 1)[0] ?? "", `### ${text.trim()}\n`]));
    parts.set(server.name, part);
    const sorted = [...parts].toSorted(([a], [b]) => a.localeCompare(b));
    return sorted
      .map(([, text]) => text)
      .join("\n")
      .trimEnd();
  });
  writeFileSync(PAGE, page);
  return Object.values(result)
    .flatMap((cells) => Object.values(cells))
    .filter(({ is }) => is === "fails").length;
}

function partOf({ name, version, profile }: TestedServer, result: Result): string {
  const cells = Object.keys(Object.values(result)[0] ?? {});
  const routes = [...new Set(cells.map((cell) => cell.split(" over ")[1] ?? ""))];
  const formats = [...new Set(cells.map((cell) => cell.split(" over ")[0] ?? ""))];
  const date = new Date().toISOString().slice(0, 10);
  const lines = [`### ${name}`, "", `${version}, profile \`${profile}\`, ${date}.`, ""];
  for (const route of routes) {
    lines.push(`| Over its route of ${route} | ${formats.join(" | ")} |`, `| --- |${" --- |".repeat(formats.length)}`);
    const notes: string[] = [];
    for (const [check, outcomes] of Object.entries(result)) {
      const row = formats.map((format) => outcomes[`${format} over ${route}`] ?? { is: "none" as const, told: "" });
      lines.push(`| ${check} | ${row.map(({ is }) => WORDS[is]).join(" | ")} |`);
      for (const told of new Set(
        row.filter(({ told }) => told !== "").map(({ is, told }) => `${WORDS[is]}: \`${short(told)}\``),
      ))
        notes.push(`- ${check}, ${told}`);
    }
    lines.push("", ...(notes.length > 0 ? [...notes, ""] : []));
  }
  return `${lines.join("\n").trimEnd()}\n`;
}

function short(text: string): string {
  return text
    .replace(/[`|\s]+/g, " ")
    .trim()
    .slice(0, 160);
}
