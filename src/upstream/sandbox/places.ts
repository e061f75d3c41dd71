import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";

/** Where a format has what the sandbox looks into. */
interface Places {
  /** Schema of the answer. */
  readonly outputSchema: string;
  /** Schema of a tool's arguments, below the tool. */
  readonly parameters: string;
  /** Grammar of a tool's free text, below the tool. */
  readonly grammar: string;
}

const RPC: Places = {
  outputSchema: "output_format.json_schema.schema_json",
  parameters: "function.parameters_json",
  grammar: "custom.format_json",
};

const PLACES: Record<Dialect, Places> = {
  [Dialect.UNSPECIFIED]: RPC,
  [Dialect.CHAT]: {
    outputSchema: "response_format.json_schema.schema",
    parameters: "function.parameters",
    grammar: "custom.format",
  },
  [Dialect.RESPONSES]: { outputSchema: "text.format.schema", parameters: "parameters", grammar: "format" },
  [Dialect.MESSAGES]: { outputSchema: "output_config.format.schema", parameters: "input_schema", grammar: "format" },
};

/** Names places in the caller's spelling. */
export function placesOf(dialect: Dialect): Places {
  return PLACES[dialect] ?? RPC;
}
