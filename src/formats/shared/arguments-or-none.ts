/** Returns the arguments of a function call; `{}` for blank ones, which servers give and clients send for none. */
export function argumentsOrNone(text: string): string {
  return text.trim() === "" ? "{}" : text;
}
