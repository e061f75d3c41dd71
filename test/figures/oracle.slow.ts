import { it } from "vitest";
import { checkTable } from "./oracle/table.ts";
import { compareFigures } from "./oracle.ts";

for (const seed of [2, 3]) compareFigures({ seed, histories: 2, rounds: 6, count: 200 });

it("compares the figures that docs/notes/figures.md lists", checkTable);
