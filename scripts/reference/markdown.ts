/** Returns a table in Markdown. Cells are texts of one line; a bar in them is escaped. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(headings), line(headings.map(() => "---")), ...rows.map(line)].join("\n");
}

function cell(text: string): string {
  const line = text
    .replace(/\s*\n\s*/g, " ")
    .replaceAll("|", "\\|")
    .trim();
  return prose(line);
}

/** Returns a text as prose, in which no sign begins a tag; tags mean nothing within code. */
export function prose(text: string): string {
  return text.replace(/`[^`]*`|</g, (found) => (found === "<" ? "&lt;" : found));
}

/** Returns a text as code; nothing for an empty one. */
export function code(text: string): string {
  return text === "" ? "" : `\`${text}\``;
}

/** Returns a block of code. */
export function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** Returns a page: its title, its parts, and its source. */
export function page(title: string, source: string, parts: readonly string[]): string {
  const note = `Generated from ${source} by \`npm run generate\`. Edit the source, not this page.`;
  return `${[`# ${title}`, ...parts.filter((part) => part !== ""), note].join("\n\n")}\n`;
}

/** Returns the anchor of a heading, as GitHub makes it. */
export function anchor(heading: string): string {
  return `#${heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")}`;
}

/**
 * Replaces what stands in a page between `<!-- NAME: where from -->` and `<!-- end of NAME -->`, by what `write` makes
 * of it. Throws where the page has no such part.
 */
export function replacePart(text: string, name: string, write: (known: string) => string): string {
  const [whole, head = "", known = "", end = ""] =
    new RegExp(`(<!-- ${name}: [^\\n]*\\n)([\\s\\S]*?)(<!-- end of ${name} -->)`).exec(text) ?? [];
  if (whole === undefined) throw new Error(`the page has no part '${name}'`);
  return text.replace(whole, () => `${head}${write(known)}\n${end}`);
}
