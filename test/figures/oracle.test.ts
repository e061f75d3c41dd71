import { compareFigures } from "./oracle.ts";

compareFigures({ seed: 1, histories: 2, rounds: 3, count: 120 });
