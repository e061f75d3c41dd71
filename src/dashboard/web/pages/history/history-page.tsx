import "./history.css";
import { Route, Routes } from "react-router";
import { ListPage } from "./list/list-page.tsx";
import { RefusedPage } from "./refused/refused-page.tsx";
import { RequestPage } from "./request/request-page.tsx";

/** The list of requests, the page of each, and the calls that were refused. */
export function HistoryPage() {
  return (
    <Routes>
      <Route index element={<ListPage />} />
      <Route path="refused" element={<RefusedPage />} />
      <Route path=":requestId" element={<RequestPage />} />
    </Routes>
  );
}
