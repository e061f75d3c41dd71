/** Yields the outermost pairs of braces of a text, with what they hold, in one pass. Braces within quotes are none. */
export function* objectsInText(text: string): Generator<string> {
  let [depth, begin, isQuoted] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (depth > 0 && isQuoted && character === "\\") at += 1;
    else if (depth > 0 && character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === "{") {
      if (depth === 0) begin = at;
      depth += 1;
    } else if (character === "}" && depth > 0) {
      depth -= 1;
      if (depth === 0) yield text.slice(begin, at + 1);
    }
  }
}
