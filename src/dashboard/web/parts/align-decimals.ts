/** An amount below a dollar, or a share: what stands before its decimals, these, and what follows. */
const WITH_DECIMALS = /^((?:[≈≥] )?-?\$0|\d+)(?:\.(\d+))?(%?)$/;

/**
 * Gives the amounts below a dollar, and the shares, of a column as many decimals as the one that has the most: their
 * points stand below each other. Whole dollars keep their cents, and other texts stay as they are.
 */
export function alignDecimals(texts: readonly string[]): string[] {
  const parts = texts.map((text) => {
    const [, whole = "", decimals = "", end = ""] = WITH_DECIMALS.exec(text) ?? [];
    return whole.endsWith("$0") || end === "%" ? { whole, decimals, end } : undefined;
  });
  const most = Math.max(0, ...parts.map((part) => part?.decimals.length ?? 0));
  return texts.map((text, at) => {
    const part = parts[at];
    return part === undefined || most === 0 ? text : `${part.whole}.${part.decimals.padEnd(most, "0")}${part.end}`;
  });
}
