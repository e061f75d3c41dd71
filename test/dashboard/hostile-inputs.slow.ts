import { describe } from "vitest";
import { putHostileInputs } from "./hostile-inputs.ts";

describe("what no field expects, on sqlite", () => putHostileInputs("sqlite"));
