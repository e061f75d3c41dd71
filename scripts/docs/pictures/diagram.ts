/** The colours of a drawing on a light or on a dark page. */
export interface Palette {
  readonly text: string;
  readonly dim: string;
  readonly line: string;
  readonly box: string;
  readonly accent: string;
  readonly second: string;
}

export const PALETTES: Readonly<Record<"light" | "dark", Palette>> = {
  light: {
    text: "#1f2328",
    dim: "#59636e",
    line: "#8c959f",
    box: "#f6f8fa",
    accent: "#4338ca",
    second: "#b45309",
  },
  dark: {
    text: "#f0f6fc",
    dim: "#9198a1",
    line: "#6e7681",
    box: "#21262d",
    accent: "#a5b4fc",
    second: "#fbbf24",
  },
};

interface DrawingOptions {
  readonly width: number;
  readonly height: number;
  /** Says what the drawing shows, for those who do not see it. */
  readonly title: string;
}

/** Puts the parts of a drawing into an SVG. */
export function drawSvg({ width, height, title }: DrawingOptions, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
      `role="img">`,
    `<title>${escapeText(title)}</title>`,
    "<style>text { font: 14px system-ui, 'DejaVu Sans', sans-serif }</style>",
    ...parts,
    "</svg>",
    "",
  ].join("\n");
}

interface TextOptions {
  readonly color: string;
  readonly size?: number;
  readonly anchor?: "start" | "middle" | "end";
  readonly isBold?: boolean;
}

/** Writes a line of text, with its baseline at y. */
export function drawLabel(x: number, y: number, text: string, options: TextOptions): string {
  const { color, size = 14, anchor = "start", isBold = false } = options;
  const style = `font-size:${size}px${isBold ? ";font-weight:600" : ""}`;
  return (
    `<text x="${round(x)}" y="${round(y)}" fill="${color}" text-anchor="${anchor}" ` +
    `style="${style}">${escapeText(text)}</text>`
  );
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
