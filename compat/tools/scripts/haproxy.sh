#!/usr/bin/env bash
# HAProxy 2.6.12 (Debian)
mkdir deb && (cd deb && apt-get download -q haproxy >apt.log 2>&1 && dpkg -x haproxy_*.deb .)
PATH="$PWD/deb/usr/sbin:$PATH" node "$ATTUNE_ROOT/compat/tools/behind-proxy.ts" HAProxy
