import { createTheme, type MantineColorsTuple } from "@mantine/core";

const indigo: MantineColorsTuple = [
  "#eef2ff",
  "#dbe4ff",
  "#bac8ff",
  "#91a7ff",
  "#748ffc",
  "#5c7cfa",
  "#4c6ef5",
  "#4263eb",
  "#3b5bdb",
  "#364fc7",
];

/** The look of every page. Shades are chosen so that text keeps a contrast of 4.5 in both colour schemes. */
export const theme = createTheme({
  colors: { indigo },
  primaryColor: "indigo",
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: "md",
  respectReducedMotion: true,
  cursorType: "pointer",
  focusRing: "auto",
  fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, monospace',
  headings: { fontWeight: "600" },
  // Every field of every form is needed, so that a mark on each would say nothing.
  components: { InputWrapper: { defaultProps: { withAsterisk: false } } },
});
