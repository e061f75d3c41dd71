/** Makes a text fit for a header: what a header may not hold is percent-encoded. */
export function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, (character) => {
    const bytes = Buffer.from(character, "utf8");
    return [...bytes].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
  });
}
