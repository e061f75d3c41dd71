import { expect, it } from "vitest";
import { fileName } from "../../../../../../src/dashboard/web/pages/history/request/file-name.ts";

const CASES: [name: string, mediaType: string, expected: string][] = [
  ["report.pdf", "application/pdf", "report.pdf"],
  ["Annual report", "application/pdf", "Annual report.pdf"],
  ["Image", "image/jpeg", "Image.jpg"],
  ["Sound", "audio/wav", "Sound.wav"],
  ["Document", "application/vnd.oasis.opendocument.text", "Document.bin"],
  ["Document", "", "Document.bin"],
  ["../../etc/passwd\u0000", "text/plain", ".. .. etc passwd.txt"],
  ["\u0007", "application/json", "file.json"],
  ["x".repeat(300), "image/png", `${"x".repeat(100)}.png`],
];

it.each(CASES)("a file called %j of %j is saved as %j", (name, mediaType, expected) => {
  expect(fileName(name, mediaType)).toBe(expected);
});
