import "../../figures/series.css";
import "./workloads.css";
import { Route, Routes } from "react-router";
import { ListPage } from "./list/list-page.tsx";
import { WorkloadPage } from "./one/workload-page.tsx";
import { PairsPage } from "./pairs/pairs-page.tsx";

/** The list of workloads, and the page of each. */
export function WorkloadsPage() {
  return (
    <Routes>
      <Route index element={<ListPage />} />
      <Route path=":model" element={<WorkloadPage />} />
      <Route path=":model/pairs" element={<PairsPage />} />
    </Routes>
  );
}
