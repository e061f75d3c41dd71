import { IconScale } from "@tabler/icons-react";
import { lazyPage, type PageEntry } from "../page-entry.ts";

/** Models beside each other. */
export const modelsPage: PageEntry = {
  path: "models",
  title: "Models",
  group: "Observe",
  scope: "project",
  Icon: IconScale,
  Page: lazyPage(async () => (await import("./models-page.tsx")).ModelsPage),
};
