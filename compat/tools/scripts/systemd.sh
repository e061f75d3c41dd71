#!/usr/bin/env bash
# systemd-analyze 252 (Debian)
said=$(systemd-analyze verify --man=no "$ATTUNE_ROOT/packaging/attune.service" 2>&1 | grep -v 'is not executable' || true)
[ -z "$said" ] && echo "held the unit, without a warning" || echo "failed the unit: $said"
exposure=$(systemd-analyze security --offline=yes --no-pager "$ATTUNE_ROOT/packaging/attune.service" | sed -n 's/.*exposure level for attune.service: \([0-9.]*\) \([A-Z]*\).*/\1 \2/p')
case $exposure in *" OK") echo "held its exposure: $exposure" ;; *) echo "failed its exposure: $exposure" ;; esac
