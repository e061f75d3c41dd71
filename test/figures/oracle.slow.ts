import { compareFigures } from "./oracle.ts";

for (const seed of [2, 3, 4, Date.now()]) compareFigures({ seed, histories: 3, rounds: 20, count: 300 });
