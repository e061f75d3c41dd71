#!/usr/bin/env bash
# @pydantic/genai-prices 0.1.8 (npm) and genai-prices 0.2.3 (PyPI) are one project's lists.
# Guess: the npm package has the prices of the PyPI package. Seen: it is older and has no prices of batches and tiers
# (price_variants), so that a program in JavaScript gets other prices than one in Python.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null; npm install --silent @pydantic/genai-prices@0.1.8
python3 -m venv venv; venv/bin/pip -q install genai-prices==0.2.3
npm_latest=$(npm view @pydantic/genai-prices version)
npm_count=$({ grep -o 'price_variants' node_modules/@pydantic/genai-prices/dist/index.js || true; } | wc -l)
pypi_count=$(venv/bin/python -c "from genai_prices.data import providers; print(sum(1 for p in providers for m in p.models if m.price_variants))")
echo "npm: newest $npm_latest, $npm_count mentions of price variants; PyPI 0.2.3: $pypi_count models with variants"
[ "$npm_latest" = 0.1.8 ] && [ "$pypi_count" -gt 0 ] && [ "$npm_count" -lt "$pypi_count" ]
