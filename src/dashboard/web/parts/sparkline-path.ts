/** The drawing, in units of its own. */
export const WIDTH = 100;
export const HEIGHT = 24;
/** Room above and below for the thickness of the line. */
const MARGIN = 2;

/** Returns the path of a line from zero to the greatest value, with gaps where nothing was measured. */
export function sparklinePath(values: readonly (number | null)[]): string {
  const numbers = values.filter((value) => value !== null);
  if (numbers.length < 2) return "";
  const [low, high] = [Math.min(0, ...numbers), Math.max(...numbers)];
  const span = high - low || 1;
  let isOpen = false;
  return values
    .map((value, at) => {
      const command = isOpen ? "L" : "M";
      isOpen = value !== null;
      if (value === null) return "";
      const x = (WIDTH * at) / (values.length - 1);
      const y = HEIGHT - MARGIN - ((HEIGHT - 2 * MARGIN) * (value - low)) / span;
      return `${command}${round(x)} ${round(y)}`;
    })
    .join("");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
