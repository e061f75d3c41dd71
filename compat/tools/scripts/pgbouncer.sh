#!/usr/bin/env bash
# PgBouncer 1.18.0 (Debian), PostgreSQL 18.4
chmod 755 . && apt-get download -q pgbouncer libevent-2.1-7 libc-ares2 >apt.log 2>&1 && for each in *.deb; do dpkg -x "$each" deb; done
export LD_LIBRARY_PATH="$PWD/deb/usr/lib/x86_64-linux-gnu:${LD_LIBRARY_PATH:-}"
PATH="$PWD/deb/usr/sbin:$PATH" node "$ATTUNE_ROOT/compat/tools/beside-database.ts" pgbouncer
