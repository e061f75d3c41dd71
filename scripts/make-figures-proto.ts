// Writes proto/attune/usage/v1/figures.proto: the message of the figures that src/figures has rows of.
import { writeFileSync } from "node:fs";
import { isCost, REPORT_ROWS } from "../src/figures/usage.ts";

/** The types of fields: but for sums, a figure may be unknown. */
const TYPES = {
  sum: "int64",
  feedback: "optional int64",
  percentile: "optional double",
  ratio: "optional double",
} as const;

const sorted = REPORT_ROWS.toSorted((one, other) => one.number - other.number);

const fields = sorted.map(({ kind, ...row }) => {
  const { field, number, text } = row;
  const unit = isCost(row) ? " in nano-USD" : "";
  const words =
    `${text}${unit}${kind === "percentile" || kind === "ratio" ? "; absent if nothing was measured" : ""}.`.split(" ");
  const lines = [""];
  for (const word of words) {
    const line = lines.at(-1) ?? "";
    if (line.length + word.length > 110) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return `${lines.map((line) => `  // ${line}\n`).join("")}  ${TYPES[kind]} ${field} = ${number};\n`;
});

const HEAD = `// npm run generate writes this file, from the rows of src/figures.
syntax = "proto3";

// The figures of usage.
package attune.usage.v1;

option csharp_namespace = "Attune.Usage.V1";
option go_package = "attune.example/go/attune/usage/v1;usagev1";
option java_multiple_files = true;
option java_package = "com.attune.usage.v1";

// Figures of calls.
message Figures {
`;

writeFileSync(new URL("../proto/attune/usage/v1/figures.proto", import.meta.url), `${HEAD}${fields.join("")}}\n`);
