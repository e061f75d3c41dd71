import { describe } from "vitest";
import { ENGINES } from "../support/database.ts";
import { putHostileInputs } from "./hostile-inputs.ts";

describe.each(ENGINES)("what no field expects, on %s", putHostileInputs);
