import { IconMessageCode } from "@tabler/icons-react";
import { lazyPart } from "../../shell/lazy-part.ts";
import type { PageEntry } from "../page-entry.ts";

/** Calls from the browser. */
export const playgroundPage: PageEntry = {
  path: "playground",
  title: "Playground",
  group: "Improve",
  scope: "project",
  needs: "requests.read",
  Icon: IconMessageCode,
  Page: lazyPart(async () => (await import("./playground-page.tsx")).PlaygroundPage),
};
