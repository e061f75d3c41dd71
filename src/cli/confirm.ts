import { once } from "node:events";
import { createInterface } from "node:readline/promises";

interface Question {
  readonly text: string;
  /** True where the caller has said yes on the command line. */
  readonly yes: boolean;
}

/** Returns whether a person agrees: by --yes, or on a terminal; elsewhere nobody is asked, and the answer is no. */
export async function confirm({ text, yes }: Question): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // A question is not answered where the input ends.
    const ended = once(lines, "close").then(() => "");
    // Ctrl-C is a no too.
    const typed = lines.question(`${text} [y/N] `).catch(() => "");
    const answer = await Promise.race([typed, ended]);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
