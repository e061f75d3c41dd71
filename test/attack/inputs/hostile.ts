import type { Random } from "../random.ts";

/** JSON text that stands in a value as it is, right or wrong. */
export class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Members of an object in order; a name may come twice. */
export class Members {
  readonly members: readonly (readonly [name: string, value: unknown])[];
  constructor(members: readonly (readonly [name: string, value: unknown])[]) {
    this.members = members;
  }
}

const NAMES = [
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "toJSON", "then", "length"],
  ...[
    "",
    " ",
    "a.b",
    "a[0]",
    "$ref",
    "\u0000",
    "\ud800",
    "\u202e",
    "é",
    "👍",
    "id",
    "type",
    "model",
    "stream",
    "\r\nx: y",
  ],
  ...[
    "content",
    "messages",
    "0",
    "-1",
    "null",
    "undefined",
    "get",
    "rawJSON",
    "error",
    "attune",
    "metadata",
    "__defineGetter__",
  ],
];

const TEXTS = [
  ...[
    "",
    " ",
    "\n",
    "\u0000",
    "\ud800",
    "\udfff x",
    "\u202egpj.exe",
    "\ufeff",
    "👩‍👩‍👧‍👦",
    "ﷺ",
    "a\u0301".repeat(20),
    "\r\nset-cookie: a=b",
  ],
  ...[
    "null",
    "true",
    "[]",
    "{}",
    '{"a":',
    "__proto__",
    "constructor",
    "toString",
    "NaN",
    "-0",
    "1e400",
    "../../etc/passwd",
  ],
  ...[
    "javascript:alert(1)",
    "file:///etc/passwd",
    "http://127.0.0.1:1/",
    "data:,",
    "data:image/png;base64,",
    "data:image/png;base64,****",
  ],
  ...[
    "data:text/plain;base64,aGk=",
    "data:;base64",
    "<script>alert(1)</script>",
    "'; drop table inference; --",
    "%s%n%x",
  ],
  ...[
    "attune/sand",
    "attune/",
    "/",
    "attune/up-chat",
    "sandbox",
    "call_1",
    "toolu_1",
    "auto",
    "required",
    "none",
    "user",
    "assistant",
    "system",
    "tool",
  ],
  ...[
    "text",
    "image",
    "image_url",
    "input_text",
    "output_text",
    "tool_use",
    "tool_result",
    "function",
    "thinking",
    "redacted_thinking",
    "refusal",
  ],
  ...[
    "item_reference",
    "reasoning",
    "function_call",
    "function_call_output",
    "custom",
    "json_schema",
    "json_object",
    "ephemeral",
    "5m",
    "1h",
    "30m",
  ],
  ...[
    "00000000-0000-0000-0000-000000000000",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "019aa1c2-7d53-7b60-8f5e-3a1d2c4b5e6f",
    "resp_1",
  ],
  ...[
    "attune.v1.bm90IGpzb24",
    "attune1.",
    "eyJhIjoxfQ==",
    "==",
    "sandbox:delay 1",
    "please fail with 500",
    "2026-13-45T99:99:99Z",
  ],
];

const NUMBERS = [
  ...[
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "0.5",
    "1.5",
    "16",
    "64",
    "255",
    "256",
    "1000",
    "4096",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483649",
  ],
  ...[
    "4294967296",
    "9007199254740991",
    "9007199254740993",
    "-9007199254740993",
    "9223372036854775808",
    "1e308",
    "1e309",
    "1e400",
    "-1e400",
  ],
  ...["1e-400", "5e-324", "0.1e1", "1E5", "123456789012345678901234567890", "0.30000000000000004", "1e21", "1e1000000"],
];

const NOT_NUMBERS = [
  "NaN",
  "Infinity",
  "01",
  "+1",
  ".5",
  "1.",
  "0x10",
  "1_000",
  "--1",
  "1e",
  "'x'",
  "undefined",
  "/* */1",
  "1,",
  "tru",
];

/** Picks a name for a member that code may trip over. */
export function hostileName(random: Random): string {
  if (random.oneIn(12)) return "n".repeat(random.integer(100, 3000));
  return random.pick(NAMES);
}

/** Picks a text that code may trip over. */
export function hostileText(random: Random): string {
  if (random.oneIn(10))
    return random
      .pick(["a", "é", "\u0000", "\ud800", "\n", " ", "😀", "[", '"', "\\"])
      .repeat(random.integer(50, 4000));
  return random.pick(TEXTS);
}

/** Picks a number; one time in 20, something that JSON does not have. */
export function hostileNumber(random: Random): Raw {
  if (random.oneIn(20)) return new Raw(random.pick(NOT_NUMBERS));
  if (random.oneIn(15)) return new Raw(`${random.pick(["", "-", "0.", "1e"])}${"9".repeat(random.integer(10, 2000))}`);
  return new Raw(random.pick(NUMBERS));
}

/** Makes a value of any kind, at most `levels` deep. */
export function hostileValue(random: Random, levels = 3): unknown {
  switch (random.integer(0, levels > 0 ? 9 : 5)) {
    case 0:
      return null;
    case 1:
      return random.oneIn(2);
    case 2:
    case 3:
      return hostileNumber(random);
    case 4:
    case 5:
      return hostileText(random);
    case 6:
      return random.oneIn(4) ? new Raw(nested(random)) : [];
    case 7:
      return Array.from({ length: random.integer(0, 4) }, () => hostileValue(random, levels - 1));
    case 8:
      return random.oneIn(6) ? manyOf(random) : {};
    default:
      return hostileObject(random, levels);
  }
}

function hostileObject(random: Random, levels: number): Members {
  const count = random.integer(0, 4);
  return new Members(
    Array.from({ length: count }, () => [hostileName(random), hostileValue(random, levels - 1)] as const),
  );
}

function nested(random: Random): string {
  const levels = random.pick([10, 100, 250, 255, 256, 257, 300, 1000, 5000]);
  const [open, close] = random.pick([
    ["[", "]"],
    ['{"a":', "}"],
    ['[{"a":', "}]"],
  ]) as [string, string];
  return `${open.repeat(levels)}1${random.oneIn(4) ? "" : close.repeat(levels)}`;
}

/** Many small values: a few hundred, so that sizes of another order stay with the inputs that are made for them. */
function manyOf(random: Random): unknown {
  const count = random.integer(50, 500);
  if (random.oneIn(2)) return Array.from({ length: count }, (_, index) => index);
  return new Members(Array.from({ length: count }, (_, index) => [`m${index}`, random.oneIn(2) ? null : "x"] as const));
}
