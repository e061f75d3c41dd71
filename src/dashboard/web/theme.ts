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

/** From text to the ground behind everything, in the dark scheme. */
const dark: MantineColorsTuple = [
  "#dfe3e8",
  "#b8bfc9",
  "#98a1ad",
  "#707985",
  "#3b4149",
  "#2e3238",
  "#23272d",
  "#1b1e23",
  "#141619",
  "#0f1113",
];

/** The look of every page. Shades are chosen so that text keeps a contrast of 4.5 in both colour schemes. */
export const theme = createTheme({
  colors: { indigo, dark },
  primaryColor: "indigo",
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: "md",
  respectReducedMotion: true,
  cursorType: "pointer",
  focusRing: "auto",
  fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, monospace',
  fontWeights: { regular: "400", medium: "500", bold: "700" },
  headings: { fontWeight: "600" },
  // Every field of every form is needed, so that a mark on each would say nothing.
  components: {
    InputWrapper: { defaultProps: { withAsterisk: false } },
    Modal: {
      defaultProps: { centered: true, closeButtonProps: { "aria-label": "Close" } },
      styles: { title: { fontWeight: 600 } },
    },
    Notification: { defaultProps: { closeButtonProps: { "aria-label": "Close" } } },
    Badge: { defaultProps: { tt: "none", fw: 500, flex: "none" } },
  },
});
