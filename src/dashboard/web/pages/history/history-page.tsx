import "./history.css";
import { Route, Routes } from "react-router";
import { ListPage } from "./list/list-page.tsx";
import { RequestPage } from "./request/request-page.tsx";

/** The list of requests, and the page of each. */
export function HistoryPage() {
  return (
    <Routes>
      <Route index element={<ListPage />} />
      <Route path=":requestId" element={<RequestPage />} />
    </Routes>
  );
}
