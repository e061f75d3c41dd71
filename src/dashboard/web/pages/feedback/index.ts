import { IconThumbUp } from "@tabler/icons-react";
import { lazyPart } from "../../shell/lazy-part.ts";
import type { PageEntry } from "../page-entry.ts";

/** The feedback page: ratings and notes of callers. */
export const feedbackPage: PageEntry = {
  path: "feedback",
  title: "Feedback",
  group: "Improve",
  scope: "project",
  needs: "requests.read",
  Icon: IconThumbUp,
  Page: lazyPart(async () => (await import("./feedback-page.tsx")).FeedbackPage),
};
