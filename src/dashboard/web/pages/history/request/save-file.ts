import { api } from "../../../api/client.ts";

/** Characters of one answer of the service. */
const PIECE_LENGTH = 10_000_000;

/** Loads all of a file of a request, as base64. */
export async function loadFile(place: { readonly projectId: string; readonly id: string }, part: number) {
  const pieces: string[] = [];
  let from = 0;
  for (;;) {
    const { text, length } = await api.history.part.query({ ...place, part, from, length: PIECE_LENGTH });
    pieces.push(text);
    from += text.length;
    if (from >= length || text === "") return pieces.join("");
  }
}

/** Has the browser save a file. It is never opened: a stranger has made it. Throws an Error of what is no base64. */
export function saveFile(base64: string, name: string): void {
  const file = new Blob([decode(base64)], { type: "application/octet-stream" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    throw new Error("The request says that this is base64, but it is not.");
  }
}
