/** Returns a text in small letters; the Greek sigma has two, by what follows it. */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll("ς", "σ");
}
