/**
 * What texts are put together from: what JSON escapes, what SSE and HTTP would take for their own, and what is no
 * character by itself.
 */
const PARTS = [
  ..."the answer is 42 , and then some more words follow here .".split(" "),
  ...[
    '"',
    "\\",
    '\\"',
    "\\\\",
    "\\n",
    "\n",
    "\r\n",
    "\t",
    "\b",
    "\u0000",
    "\u001f",
    "\u007f",
    "\u2028",
    "/",
    "</script>",
  ],
  ...["data: x\n\n", "event: y\n", ": z", "[DONE]", '{"text":"', '"}', "\\u0041", '","content":"', "}]}"],
  ...["é", "ß", "日本語", "😀", "👩‍👩‍👧", "\u200b", "\ufeff", "\u0301", "１２"],
  ...["9007199254740993", "1e400", "-0", "0.1000000000000000055511151231257827"],
];
const LONE = ["\ud83d", "\ude00"];

/** Draws from a list. */
export function pick<Item>(random: () => number, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("there is nothing to draw from");
  return item;
}

/** Draws a text: mostly short, seldom of thousands of characters, very seldom not well-formed. */
export function drawText(random: () => number): string {
  const most = random() < 0.05 ? 1200 : 12;
  const parts = Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(random, PARTS));
  if (random() < 0.03) parts.push(pick(random, LONE));
  return parts.join(random() < 0.5 ? " " : "");
}
