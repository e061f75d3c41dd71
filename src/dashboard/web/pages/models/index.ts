import { IconScale } from "@tabler/icons-react";
import { lazyPart } from "../../shell/lazy-part.ts";
import type { PageEntry } from "../page-entry.ts";

/** Models beside each other. */
export const modelsPage: PageEntry = {
  path: "models",
  title: "Models",
  group: "Observe",
  scope: "project",
  needs: "models.read",
  Icon: IconScale,
  Page: lazyPart(async () => (await import("./models-page.tsx")).ModelsPage),
};
