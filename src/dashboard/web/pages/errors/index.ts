import { IconAlertTriangle } from "@tabler/icons-react";
import { lazyPart } from "../../shell/lazy-part.ts";
import type { PageEntry } from "../page-entry.ts";

/** Failed and refused calls. */
export const errorsPage: PageEntry = {
  path: "errors",
  title: "Errors",
  group: "Observe",
  scope: "project",
  needs: "requests.read",
  Icon: IconAlertTriangle,
  Page: lazyPart(async () => (await import("./errors-page.tsx")).ErrorsPage),
  below: { refused: lazyPart(async () => (await import("./refused-page.tsx")).RefusedPage) },
};
