import { Route, Routes } from "react-router";
import { NotFound } from "../../shell/not-found.tsx";
import { SessionPage } from "./session-page.tsx";

/** The page of each session. */
export function SessionsPage() {
  return (
    <Routes>
      <Route path=":sessionId" element={<SessionPage />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
