import { compareFigures } from "./oracle.ts";

for (const seed of [2, 3]) compareFigures({ seed, histories: 2, rounds: 6, count: 200 });
