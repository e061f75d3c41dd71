// Writes the drawings of docs/pictures, light and dark: the route of a call, the rooms of the house, and charts of
// replays from docs/decisions.
import { mkdirSync, writeFileSync } from "node:fs";
import { drawGainChart, drawLossChart } from "./docs/pictures/charts.ts";
import { PALETTES } from "./docs/pictures/diagram.ts";
import { drawHouse } from "./docs/pictures/house.ts";
import { drawRoute } from "./docs/pictures/route.ts";

const DRAWINGS = { route: drawRoute, house: drawHouse, "replay-gain": drawGainChart, "replay-loss": drawLossChart };

const folder = new URL("../docs/pictures/", import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, draw] of Object.entries(DRAWINGS))
  for (const scheme of ["light", "dark"] as const)
    writeFileSync(new URL(`${name}-${scheme}.svg`, folder), draw(PALETTES[scheme]));
