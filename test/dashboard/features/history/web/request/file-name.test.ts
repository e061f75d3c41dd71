import { expect, it } from "vitest";
import { fileName } from "../../../../../../src/dashboard/features/history/web/request/file-name.ts";

const CASES: [name: string, mediaType: string, expected: string][] = [
  ["report.pdf", "application/pdf", "report.pdf"],
  ["Annual report", "application/pdf", "Annual report.pdf"],
  ["Image", "image/jpeg", "Image.jpg"],
  ["Sound", "audio/wav", "Sound.wav"],
  ["Document", "application/vnd.oasis.opendocument.text", "Document.bin"],
  ["Document", "", "Document.bin"],
  ["../../etc/passwd\u0000", "text/plain", ".. .. etc passwd.txt"],
  ["\u0007", "application/json", "file.json"],
  ["photo\u202egnp.exe", "image/png", "photognp.exe"],
  ["\ufeff\u2066a\u200d\u00adb\u2069\u061c.txt\u200b", "text/plain", "ab.txt"],
  ["a\u2028b\u2029c\ud800\ue000\u{e0041}d", "text/plain", "a b cd.txt"],
  ["\u202e\u2067", "image/png", "file.png"],
  ["💥".repeat(101), "image/png", `${"💥".repeat(100)}.png`],
  ["x".repeat(300), "image/png", `${"x".repeat(100)}.png`],
];

it.each(CASES)("a file called %j of %j is saved as %j", (name, mediaType, expected) => {
  expect(fileName(name, mediaType)).toBe(expected);
});
