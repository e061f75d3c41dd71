import { it } from "vitest";
import { checkTable } from "./oracle/table.ts";
import { compareFigures } from "./oracle.ts";

compareFigures({ seed: 1, histories: 2, rounds: 3, count: 120 });

it("compares the figures that docs/notes/figures.md lists", checkTable);
