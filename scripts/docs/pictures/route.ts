import { drawLabel, drawSvg, type Palette } from "./diagram.ts";

/** A box of the drawing: its head, and what it does. */
interface Box {
  readonly at: readonly [x: number, y: number];
  readonly size: readonly [width: number, height: number];
  readonly head: string;
  readonly lines: readonly string[];
}

const BOXES: Readonly<Record<"client" | "admission" | "format" | "choice" | "upstream" | "learner", Box>> = {
  client: {
    at: [10, 40],
    size: [170, 108],
    head: "Your application",
    lines: ["any SDK: Chat,", "Responses, Messages,", "gRPC, Connect"],
  },
  admission: {
    at: [240, 40],
    size: [140, 108],
    head: "Admission",
    lines: ["whose key is it,", "what may it call", "and spend"],
  },
  format: {
    at: [405, 40],
    size: [165, 108],
    head: "Format",
    lines: ["to one typed message,", "and to the format of", "the upstream"],
  },
  choice: {
    at: [595, 40],
    size: [175, 108],
    head: "Choice",
    lines: ["which model by what", "was learned, which", "place by its health"],
  },
  upstream: {
    at: [830, 40],
    size: [160, 108],
    head: "Upstream",
    lines: ["a provider, another", "gateway, or a server", "of your own"],
  },
  learner: {
    at: [405, 228],
    size: [365, 82],
    head: "Learner",
    lines: ["estimates for each model and kind of prompt;", "bounds what may be lost against your model"],
  },
};

/** Draws the route of one call, and of the feedback on its answer. */
export function drawRoute(palette: Palette): string {
  const title =
    "A call goes from the application through admission, format and choice to an upstream; " +
    "the answer streams back with an id; feedback with that id goes to the learner, which changes the choice.";
  const { accent, second, dim } = palette;
  return drawSvg({ width: 1000, height: 330, title }, [
    drawMarkers(palette),
    `<rect x="218" y="10" width="574" height="310" rx="12" fill="none" stroke="${palette.line}" ` +
      `stroke-dasharray="5 5"/>`,
    drawLabel(240, 30, "Attune, one process", { color: dim, size: 13 }),
    ...Object.values(BOXES).map((box) => drawBox(box, palette)),
    ...[
      [180, 238],
      [380, 403],
      [570, 593],
      [770, 828],
    ].map(([from, to]) => drawArrow(`M${from} 80H${to}`, accent, "call")),
    drawArrow("M910 150V180H95V152", accent, "call"),
    drawLabel(505, 174, "the answer, streamed, with an id", { color: accent, size: 13, anchor: "middle" }),
    drawArrow("M60 150V270H403", second, "feedback"),
    drawLabel(70, 262, "feedback: this id", { color: second, size: 13 }),
    drawLabel(70, 290, "was helpful, or not", { color: second, size: 13 }),
    drawArrow("M682 226V152", second, "feedback"),
  ]);
}

function drawMarkers({ accent, second }: Palette): string {
  const marker = (id: string, color: string): string =>
    `<marker id="${id}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path ` +
    `d="M0 0L10 5L0 10z" fill="${color}"/></marker>`;
  return `<defs>${marker("call", accent)}${marker("feedback", second)}</defs>`;
}

function drawBox({ at: [x, y], size: [width, height], head, lines }: Box, { box, line, text, dim }: Palette): string {
  const frame = `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" fill="${box}" stroke="${line}"/>`;
  const heading = drawLabel(x + 12, y + 26, head, { color: text, isBold: true, size: 15 });
  const body = lines.map((words, at) => drawLabel(x + 12, y + 50 + at * 19, words, { color: dim, size: 13 }));
  return [frame, heading, ...body].join("\n");
}

function drawArrow(path: string, color: string, marker: string): string {
  return `<path d="${path}" fill="none" stroke="${color}" stroke-width="2" marker-end="url(#${marker})"/>`;
}
