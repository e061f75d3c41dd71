import { Route, Routes } from "react-router";
import { DatasetPage } from "./dataset-page.tsx";
import { ListPage } from "./list-page.tsx";

/** The datasets of the project, and the page of each. */
export function DatasetsPage() {
  return (
    <Routes>
      <Route index element={<ListPage />} />
      <Route path=":datasetId" element={<DatasetPage />} />
    </Routes>
  );
}
