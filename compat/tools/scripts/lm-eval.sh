#!/usr/bin/env bash
# lm-eval 0.4.13 (local-chat-completions)
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check "lm-eval[api]==0.4.13"
for n in $(seq 20); do echo "{\"question\": \"question $n\"}"; done > questions.jsonl
cat > tiny.yaml <<'Y'
task: tiny
dataset_path: json
dataset_kwargs: { data_files: { test: questions.jsonl } }
output_type: generate_until
test_split: test
doc_to_text: "{{question}}"
doc_to_target: 'Grüße 🌍 — "ok"'
generation_kwargs: { until: ["END"], max_gen_toks: 50, temperature: 0 }
filter_list: [{ name: stripped, filter: [{ function: regex, regex_pattern: "(Grüße.*)" }, { function: take_first }] }]
metric_list: [{ metric: exact_match, aggregation: mean, higher_is_better: true }]
Y
run() { HF_HUB_OFFLINE=1 HF_HOME="$PWD/hf" OPENAI_API_KEY="$ATTUNE_KEY" venv/bin/lm_eval run --model local-chat-completions --model_args "model=attune/$1,base_url=$ATTUNE_URL/v1/chat/completions,num_concurrent=4,max_retries=1" --tasks tiny --include_path . --apply_chat_template --output_path "out-$1" >"$1.log" 2>&1; }
for model in chat-model responses-model messages-model; do
  run $model && score=$(grep -ho '"exact_match,stripped": [0-9.]*' -r "out-$model" | head -1 | grep -o '[0-9.]*$') || score=$(tail -1 $model.log)
  [ "$score" = 1.0 ] && echo "held $model: 20 answers of 20" || echo "failed $model: $score"
done
! run none && grep -q model_not_found none.log && echo "held an unknown model" || echo "failed an unknown model: $(tail -1 none.log)"
