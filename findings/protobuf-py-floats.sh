#!/usr/bin/env bash
# One message has two values in protobuf-py, which connectrpc for Python uses: a 32-bit float is kept as 64 bits, so JSON and binary differ.
# Versions: PyPI protobuf-py 0.7.0 (as installed by connectrpc 0.13.0), protobuf 7.36.2; npm @bufbuild/protobuf 2.17.0.
# Protobuf's guide: float is 32 bits. A peer gets 16777217 by Connect's JSON and 16777216 by its binary form.
# Guess: all round when a field is set or read, as Google's protobuf for Python does.
# Seen on 2026-11-30: protobuf-py and protobuf-es say 16777217 for FloatValue until the message has been through its binary form, and it is not equal to its own copy then. Google's for Python says 16777216 at once.
# Prints the values of each; exits 1 if one has changed. Needs Node 20 with npm, and python3 with venv.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund @bufbuild/protobuf@2.17.0 >/dev/null
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check connectrpc==0.13.0 protobuf-py==0.7.0 protobuf==7.36.2
cat > read.py <<'PY'
from google.protobuf import json_format, wrappers_pb2
from protobuf.wkt import FloatValue
text = "16777217"
message = FloatValue.from_json(text); copy = FloatValue.from_binary(message.to_binary())
print("protobuf-py", message.to_json(), copy.to_json(), message == copy, sep="|")
message = json_format.Parse(text, wrappers_pb2.FloatValue()); copy = wrappers_pb2.FloatValue.FromString(message.SerializeToString())
print("protobuf for Python", json_format.MessageToJson(message), json_format.MessageToJson(copy), message == copy, sep="|")
PY
cat > read.mjs <<'JS'
import { equals, fromBinary, fromJsonString, toBinary, toJsonString } from "@bufbuild/protobuf"; import { FloatValueSchema as schema } from "@bufbuild/protobuf/wkt";
const message = fromJsonString(schema, "16777217"), copy = fromBinary(schema, toBinary(schema, message));
console.log(["protobuf-es", toJsonString(schema, message), toJsonString(schema, copy), equals(schema, message, copy)].join("|"));
JS
{ venv/bin/python read.py; node read.mjs; } > seen.txt
changed=0
while IFS='|' read -r name before after same; do
  case "$name" in protobuf-es) expected="16777217 16777216 false" ;; protobuf-py) expected="16777217.0 16777216.0 False" ;; *) expected="16777216.0 16777216.0 True" ;; esac
  if [ "$before $after $same" = "$expected" ]; then state="as seen"; else state="CHANGED"; changed=1; fi
  echo "$state: $name: $before, after its binary form $after, equal: $same ($expected on 2026-11-30)"
done < seen.txt
[ "$(wc -l < seen.txt)" = 3 ] || { echo "CHANGED: three were to answer"; changed=1; }
exit $changed
