import { drawLabel, drawSvg, type Palette } from "./diagram.ts";

/** The rooms of `src`, from the roof to the ground: a room imports from floors below its own. */
const FLOORS: readonly (readonly (readonly [room: string, does: string])[])[] = [
  [
    ["main", "puts all together"],
    ["cli", "commands"],
  ],
  [
    ["server", "one port"],
    ["rpc", "Connect, gRPC"],
    ["openapi", "its document"],
  ],
  [
    ["dashboard", "pages, tRPC"],
    ["workers", "processes"],
  ],
  [["operations", "what people and programs change"]],
  [
    ["routing", "who answers"],
    ["store", "database, spool"],
    ["replay", "what would be"],
  ],
  [
    ["learning", "from feedback"],
    ["observability", "log, metrics"],
  ],
  [
    ["facade", "JSON, SSE"],
    ["inference", "runs a call"],
    ["upstream", "asks a model"],
    ["config", "attune.yaml"],
  ],
  [
    ["formats", "wire and hub"],
    ["admission", "who may call"],
    ["feedback", "its rules"],
    ["figures", "measures"],
    ["quotas", "limits"],
    ["alerts", "what is wrong"],
  ],
  [
    ["hub", "a call: fields, content, errors"],
    ["vocabulary", "roles, settings, findings"],
    ["catalog", "models and prices"],
    ["lib", "small tools"],
  ],
];

const [WIDTH, FLOOR, GAP, MARGIN] = [1000, 62, 10, 10];

/** Draws the rooms of the house. */
export function drawHouse(palette: Palette): string {
  const height = FLOORS.length * (FLOOR + GAP) - GAP + 2 * MARGIN;
  const title =
    "The rooms of src in nine floors, from main and cli down to hub, vocabulary, catalog and lib; a room imports from below.";
  const rooms = FLOORS.flatMap((floor, level) => {
    const width = (WIDTH - 2 * MARGIN - (floor.length - 1) * GAP) / floor.length;
    const y = MARGIN + level * (FLOOR + GAP);
    return floor.map(([room, does], index) => {
      const x = MARGIN + index * (width + GAP);
      return [
        `<rect x="${x}" y="${y}" width="${width}" height="${FLOOR}" rx="8" fill="${palette.box}" ` +
          `stroke="${palette.line}"/>`,
        drawLabel(x + width / 2, y + 27, room, { color: palette.text, isBold: true, anchor: "middle", size: 15 }),
        drawLabel(x + width / 2, y + 47, does, { color: palette.dim, anchor: "middle", size: 13 }),
      ].join("\n");
    });
  });
  return drawSvg({ width: WIDTH, height, title }, rooms);
}
