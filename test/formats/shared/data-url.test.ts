import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dataUrl, isDataUrl, parseDataUrl } from "../../../src/formats/shared/data-url.ts";

describe("parseDataUrl()", () => {
  const urls: [url: string, parsed: unknown][] = [
    ["data:image/png;base64,iVBORw0KGgo=", { mediaType: "image/png", base64: "iVBORw0KGgo=" }],
    ["DATA:Image/PNG;Base64,AAAA", { mediaType: "image/png", base64: "AAAA" }],
    ["data:image/svg+xml;charset=utf-8;base64,AAAA", { mediaType: "image/svg+xml", base64: "AAAA" }],
    ["data:text/plain;charset=utf-8,H%C3%A9", { mediaType: "text/plain", base64: "SMOp" }],
    ["data:,a%20b", { mediaType: "text/plain", base64: "YSBi" }],
    ["data:text/plain,Hé", { mediaType: "text/plain", base64: "SMOp" }],
    ["data:text/plain,%FF", { mediaType: "text/plain", base64: "/w==" }],
    ["data:image/png;base64,", { mediaType: "image/png", base64: "" }],
    ["data:image/png;base64,not base64", undefined],
    ["data:image/png;base64", undefined],
    ["data:text/plain,%G0", undefined],
    ["https://example.com/,", undefined],
  ];

  it.each(urls)("parses %s", (url, parsed) => {
    expect(parseDataUrl(url)).toEqual(parsed);
  });

  it("is the inverse of dataUrl()", () => {
    fc.assert(
      fc.property(fc.base64String(), (base64) => {
        const data = { mediaType: "application/pdf", base64 };
        expect(isDataUrl(dataUrl(data))).toBe(true);
        expect(parseDataUrl(dataUrl(data))).toEqual(data);
      }),
    );
  });
});
