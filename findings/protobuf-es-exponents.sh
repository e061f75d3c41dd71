#!/usr/bin/env bash
# protobuf-es refuses 64-bit integers in JSON that Go's and Python's protobuf read: "1e3" and "1.0".
# Versions: npm @bufbuild/protobuf 2.17.0; PyPI protobuf 7.36.2; Go google.golang.org/protobuf 1.36.11.
# ProtoJSON: exponents (such as 1e2) are accepted both with quotes and without.
# Guess: all three read the same forms of an integer, as they pass one conformance suite.
# Seen on 2026-11-30: Go and Python read "1e3", 1e3, "1.0" and 1.0; protobuf-es reads the two without quotes, and throws at those with quotes.
# Prints what each reads; exits 1 if one has changed. Needs Node 20 with npm, python3 with venv, and Go.
set -euo pipefail
folder=$(mktemp -d); trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund @bufbuild/protobuf@2.17.0 >/dev/null
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check protobuf==7.36.2
printf '%s\n' '"1e3"' 1e3 '"1.0"' 1.0 '"1000"' > values
cat > read.py <<'PY'
from google.protobuf import json_format, wrappers_pb2
for value in open("values").read().split():
    try: print(json_format.Parse(value, wrappers_pb2.Int64Value()).value)
    except json_format.ParseError: print("refused")
PY
cat > read.mjs <<'JS'
import fs from "node:fs"; import { fromJsonString } from "@bufbuild/protobuf"; import { Int64ValueSchema } from "@bufbuild/protobuf/wkt";
for (const value of fs.readFileSync("values", "utf8").trim().split("\n")) try { console.log(String(fromJsonString(Int64ValueSchema, value).value)); } catch { console.log("refused"); }
JS
mkdir go && cd go && cat > main.go <<'GO'
package main

import (
	"fmt"
	"os"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

func main() {
	values, _ := os.ReadFile("../values")
	for _, value := range strings.Fields(string(values)) {
		message := &wrapperspb.Int64Value{}
		if protojson.Unmarshal([]byte(value), message) != nil {
			fmt.Println("refused")
		} else {
			fmt.Println(message.Value)
		}
	}
}
GO
printf 'module read\ngo 1.23\nrequire google.golang.org/protobuf v1.36.11\n' > go.mod
GOPATH="$folder/gopath" go mod tidy 2>/dev/null
go=$(GOPATH="$folder/gopath" go run . | xargs); cd ..
python=$(venv/bin/python read.py | xargs); es=$(node read.mjs | xargs)
echo "Go: $go; Python: $python; protobuf-es: $es"
[ "$go" = "1000 1000 1 1 1000" ] && [ "$python" = "$go" ] && [ "$es" = "refused 1000 refused 1 1000" ]
