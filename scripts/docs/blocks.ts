/** A code block of a page. */
export interface Block {
  /** The page with the line: docs/api.md:12. */
  readonly at: string;
  readonly language: string;
  readonly code: string;
  /** Says why it is not run, where a comment before it does: `<!-- not run: needs Docker -->`. */
  readonly reason: string | undefined;
}

const BLOCK = /(?:^<!-- not run: ([^\n]+) -->\n)?^```(\w+)\n(.*?)^```/gms;

/** Lists the code blocks of a page that are run: those of a shell and of programming languages. */
export function runnableBlocks(path: string, markdown: string): Block[] {
  return [...markdown.matchAll(BLOCK)]
    .map(({ 1: reason, 2: language = "", 3: code = "", index }) => ({
      at: `${path}:${markdown.slice(0, index).split("\n").length}`,
      language,
      code,
      reason,
    }))
    .filter(({ language }) => ["sh", "js", "ts", "python"].includes(language));
}
