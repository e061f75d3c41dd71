/** The screen of a terminal at a time, as lines that may have bold text. */
export interface Frame {
  readonly atMs: number;
  readonly lines: readonly string[];
}

/** A line that is shown for a while. */
interface Showing {
  readonly row: number;
  readonly text: string;
  readonly fromMs: number;
  /** Undefined for what stays at the end. */
  readonly untilMs: number | undefined;
}

const [ROW, CHARACTER, MARGIN] = [18, 7.8, 16];
const ESCAPES = new RegExp(`(${String.fromCharCode(27)}\\[\\d*[A-Za-z])`);

/**
 * Draws a recording of a terminal as an SVG that plays once and then shows its end. Who prefers no motion sees the end
 * alone.
 */
export function drawRecording(frames: readonly Frame[], label: string): string {
  const showings = showingsOf(frames);
  const columns = Math.max(...showings.map(({ text }) => plain(text).length));
  const rows = Math.max(...frames.map(({ lines }) => lines.length));
  const [width, height] = [Math.ceil(columns * CHARACTER) + 2 * MARGIN, rows * ROW + 2 * MARGIN];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
      `role="img">`,
    `<title>${escapeText(label)}</title>`,
    "<style>",
    "text { font: 13px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #e6e6e6; white-space: pre }",
    ".b { font-weight: bold; fill: #ffffff } .c { fill: #8fd3a5 }",
    ".s { visibility: hidden; animation: show 1s step-end 1 } .e { animation-fill-mode: forwards }",
    "@keyframes show { from { visibility: visible } to { visibility: visible } }",
    "@media (prefers-reduced-motion: reduce) { .s { animation: none } .e { visibility: visible } }",
    "</style>",
    `<rect width="${width}" height="${height}" rx="8" fill="#16181d"/>`,
    ...showings.map(drawLine),
    "</svg>",
    "",
  ].join("\n");
}

function drawLine({ row, text, fromMs, untilMs }: Showing): string {
  const y = MARGIN + row * ROW + 13;
  const seconds = (ms: number): string => `${Number((ms / 1000).toFixed(2))}s`;
  const duration = untilMs === undefined ? "" : `;animation-duration:${seconds(untilMs - fromMs)}`;
  const kind = `s${untilMs === undefined ? " e" : ""}${/^\$ /.test(text) ? " c" : ""}`;
  const style = `animation-delay:${seconds(fromMs)}${duration}`;
  return `<text x="${MARGIN}" y="${y}" class="${kind}" style="${style}" xml:space="preserve">${drawText(text)}</text>`;
}

function drawText(text: string): string {
  let isBold = false;
  return text
    .split(ESCAPES)
    .map((part) => {
      if (!ESCAPES.test(part)) return isBold ? `<tspan class="b">${escapeText(part)}</tspan>` : escapeText(part);
      if (part.endsWith("m")) isBold = part.endsWith("[1m");
      return "";
    })
    .join("");
}

/** Joins the frames that show the same text in the same row. */
function showingsOf(frames: readonly Frame[]): Showing[] {
  const rows = Math.max(...frames.map(({ lines }) => lines.length));
  return Array.from({ length: rows }, (_, row) => row).flatMap((row) => {
    const changes = frames
      .map(({ atMs, lines }) => ({ atMs, text: lines[row] ?? "" }))
      .filter(({ text }, at, all) => at === 0 || text !== all[at - 1]?.text);
    return changes
      .map(({ atMs, text }, at) => ({ row, text, fromMs: atMs, untilMs: changes[at + 1]?.atMs }))
      .filter(({ text }) => plain(text).trim() !== "");
  });
}

function plain(text: string): string {
  return text
    .split(ESCAPES)
    .filter((part) => !ESCAPES.test(part))
    .join("");
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
