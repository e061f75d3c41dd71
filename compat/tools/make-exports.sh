# Calls, feedback and a failure, then what commands export of them: export.csv, export.jsonl, export.records, usage.json.
ask() { curl -s "$ATTUNE_URL$1" -H "authorization: Bearer $ATTUNE_KEY" -H 'content-type: application/json' "${@:2}"; }
for text in 'a, "b"\nc' '=1+1' 'é 🌍' 'null' 'NA'; do
  id=$(ask /v1/chat/completions -H 'attune-tags: team=search' -d "{\"model\":\"attune/chat-model\",\"messages\":[{\"role\":\"user\",\"content\":\"${text//\"/\\\"}\"}]}" | node -p 'JSON.parse(require("fs").readFileSync(0)).id')
  ask /v1/feedback -d "[{\"id\":\"$id\",\"feedback\":{\"helpful\":true,\"stars\":4,\"comment\":\"good\"}}]" >rated.log
done
ask /v1/chat/completions -d '{"model":"none","messages":[{"role":"user","content":"hi"}]}' >failed.log
sleep 3
attune() { node "$ATTUNE_ROOT/scripts/attune.mjs" "$@"; }
for format in csv jsonl records; do attune export requests --from 2026-01-01 --format $format > "export.$format"; done
attune usage --json --from 2026-01-01 > usage.json
