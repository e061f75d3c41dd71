import { IconThumbUp } from "@tabler/icons-react";
import { lazyPage, type PageEntry } from "../page-entry.ts";

/** What callers said of their answers. */
export const feedbackPage: PageEntry = {
  path: "feedback",
  title: "Feedback",
  group: "Improve",
  scope: "project",
  Icon: IconThumbUp,
  Page: lazyPage(async () => (await import("./feedback-page.tsx")).FeedbackPage),
};
