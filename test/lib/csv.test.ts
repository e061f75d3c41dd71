import { describe, expect, it } from "vitest";
import { encodeCsv } from "../../src/lib/csv.ts";

describe("encodeCsv()", () => {
  it("writes a heading, quotes what needs it, and leaves null empty", () => {
    const rows = [
      { name: 'a "b", c', count: 2 },
      { name: "two\nlines", count: null },
    ];
    expect(encodeCsv(["name", "count"], rows)).toBe('name,count\r\n"a ""b"", c",2\r\n"two\nlines",\r\n');
  });

  it("puts an apostrophe before a text that a spreadsheet would compute, and leaves numbers alone", () => {
    const texts = ['=HYPERLINK("x")', "+1", "-1", "@a", "\tb", "\r=c", "a=b", ""];
    const rows = [...texts.map((text) => ({ text })), { text: -1.5 }];
    const lines = ['"\'=HYPERLINK(""x"")"', "'+1", "'-1", "'@a", "'\tb", '"\'\r=c"', "a=b", "", "-1.5"];
    expect(encodeCsv(["text"], rows)).toBe(["text", ...lines, ""].join("\r\n"));
  });

  it("writes the heading alone where there are no rows", () => {
    expect(encodeCsv(["a", "b"], [])).toBe("a,b\r\n");
  });
});
