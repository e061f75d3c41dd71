#!/usr/bin/env bash
# LiteLLM 1.110.2 and genai-prices 0.2.3 on DeepSeek's hours: deepseek-v4-pro, 1,000 tokens in, on Saturday at 02:00 UTC.
# Guess: both halve the price outside of weekday peaks, as DeepSeek's page has it. Seen: LiteLLM's map has weekdays, and
# genai-prices has hours alone: on weekends it says twice the price at four hours of the night and four of the morning.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv venv; venv/bin/pip -q install genai-prices==0.2.3
venv/bin/pip -q install --no-deps --target litellm litellm==1.110.2
venv/bin/python - <<'P'
import json
from datetime import datetime, timezone
from genai_prices import Usage, calc_price

saturday = datetime(2026, 11, 28, 2, 0, tzinfo=timezone.utc)
usage = Usage(input_tokens=1000, output_tokens=0)
price = calc_price(usage, model_ref="deepseek-v4-pro", provider_id="deepseek", genai_request_timestamp=saturday)
entry = json.load(open("litellm/litellm/model_prices_and_context_window_backup.json"))["deepseek/deepseek-v4-pro"]
off_peak = entry["off_peak_pricing"]
weekend = [window for window in off_peak["windows"] if window["weekdays"] == [6, 7]]
print("genai-prices", float(price.total_price), "LiteLLM's map", off_peak["input_cost_per_token"] * 1000, weekend)
assert abs(float(price.total_price) - 0.00132) < 1e-9
assert weekend and abs(off_peak["input_cost_per_token"] * 1000 - 0.00066) < 1e-9
P
