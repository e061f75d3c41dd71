const NUMBER = /\d[\d,]*(?:\.\d+)?/g;

/**
 * Gives the shares of a column, and its amounts below a dollar, as many decimals as the one that has the most, so their
 * points stand below each other: those of texts that differ in their numbers alone. Other texts stay as they are.
 */
export function alignDecimals(texts: readonly string[]): string[] {
  const most = new Map<string, number[]>();
  for (const text of texts) {
    const numbers = text.match(NUMBER) ?? [];
    const decimals = most.get(maskNumbers(text)) ?? [];
    most.set(
      maskNumbers(text),
      numbers.map((number, at) => Math.max(decimals[at] ?? 0, countDecimals(number))),
    );
  }
  return texts.map((text) => {
    const shape = maskNumbers(text);
    const isShare = shape.includes("%");
    if (!isShare && !shape.includes("$#")) return text;
    let at = 0;
    return text.replace(NUMBER, (number) => {
      const places = most.get(shape)?.[at++] ?? 0;
      // Whole dollars keep their cents.
      return places > 0 && (isShare || number.startsWith("0")) ? padDecimals(number, places) : number;
    });
  });
}

function maskNumbers(text: string): string {
  return text.replace(NUMBER, "#");
}

function countDecimals(number: string): number {
  return number.split(".")[1]?.length ?? 0;
}

function padDecimals(number: string, places: number): string {
  const [whole = "", decimals = ""] = number.split(".");
  return `${whole}.${decimals.padEnd(places, "0")}`;
}
