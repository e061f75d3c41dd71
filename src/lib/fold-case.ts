/** Returns a text in small letters, composed (UAX 15, NFC); the Greek sigma has two, by what follows it. */
export function foldCase(text: string): string {
  return text.normalize("NFC").toLowerCase().replaceAll("ς", "σ").normalize("NFC");
}
