import { Route, Routes } from "react-router";
import { DatasetPage } from "./dataset-page.tsx";
import { ListPage } from "./list-page.tsx";
import { RunPage } from "./run-page.tsx";

/** The datasets of the project, the page of each, and of each run. */
export function DatasetsPage() {
  return (
    <Routes>
      <Route index element={<ListPage />} />
      <Route path=":datasetId" element={<DatasetPage />} />
      <Route path=":datasetId/runs/:runId" element={<RunPage />} />
    </Routes>
  );
}
