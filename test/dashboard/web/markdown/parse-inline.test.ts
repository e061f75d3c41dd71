import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Inline, parseInline } from "../../../../src/dashboard/web/parts/markdown/parse-inline.ts";

const text = (content: string) => ({ kind: "text", text: content });

describe("parseInline()", () => {
  it.each([
    ["a **b** c", [text("a "), { kind: "strong", children: [text("b")] }, text(" c")]],
    ["*a _b_*", [{ kind: "emphasis", children: [text("a "), { kind: "emphasis", children: [text("b")] }] }]],
    ["snake_case_name", [text("snake"), text("_"), text("case"), text("_"), text("name")]],
    ["2 * 3 * 4", [text("2 "), text("*"), text(" 3 "), text("*"), text(" 4")]],
    ["`a *b*` c", [{ kind: "code", text: "a *b*" }, text(" c")]],
    ["a ` b", [text("a "), text("`"), text(" b")]],
    ["**open", [text("**"), text("open")]],
    ["\\*a\\*", [text("*"), text("a"), text("*")]],
    ["a\nb", [text("a"), { kind: "break" }, text("b")]],
    ["[it](https://a.b/c)", [{ kind: "link", href: "https://a.b/c", children: [text("it")] }]],
    [
      "see https://a.b/c.",
      [text("see "), { kind: "link", href: "https://a.b/c", children: [text("https://a.b/c")] }, text(".")],
    ],
    ["[it](javascript:alert)", [text("[it](javascript:alert)")]],
    ["[it](data:text/html,x)", [text("[it](data:text/html,x)")]],
    ["<b>x</b>", [text("<b>x</b>")]],
  ])("takes %j apart", (source, expected) => {
    expect(parseInline(source)).toEqual(expected);
  });

  it("leads nowhere but to the web and to mail, whatever the text", () => {
    const pieces = fc.constantFrom(
      "[",
      "](",
      ")",
      "javascript:",
      "https://",
      "a",
      "**",
      "_",
      "`",
      "\\",
      "\n",
      "mailto:",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        for (const href of linksOf(parseInline(parts.join("")))) expect(href).toMatch(/^(https?:\/\/|mailto:)/);
      }),
    );
  });

  it("takes a long text of opening marks in a moment", () => {
    for (const piece of ["**", "[", "`", "_a", "](", "``a", "~~"]) parseInline(piece.repeat(20_000));
  });
});

function linksOf(parts: readonly Inline[]): string[] {
  return parts.flatMap((part) =>
    "children" in part ? [...(part.kind === "link" ? [part.href] : []), ...linksOf(part.children)] : [],
  );
}
