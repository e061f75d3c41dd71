import { IconMessageCode } from "@tabler/icons-react";
import { lazyPage, type PageEntry } from "../page-entry.ts";

/** Calls from the browser. */
export const playgroundPage: PageEntry = {
  path: "playground",
  title: "Playground",
  group: "Improve",
  scope: "project",
  Icon: IconMessageCode,
  Page: lazyPage(async () => (await import("./playground-page.tsx")).PlaygroundPage),
};
