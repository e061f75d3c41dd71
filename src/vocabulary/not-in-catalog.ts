/** The problem of a name that no model of the catalog has, at each door that takes one. */
export const NOT_IN_CATALOG = "isn't in the catalog: GET /v1/models lists them";
