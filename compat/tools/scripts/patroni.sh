#!/usr/bin/env bash
# Patroni 3.0.2, etcd 3.4.23 and PostgreSQL 15 (Debian)
chmod 755 . && apt-get download -q postgresql-15 postgresql-client-15 libpq5 etcd-server >apt.log 2>&1 && for each in *.deb; do dpkg -x "$each" deb; done
# Patroni runs as nobody, who may not reach another Python.
/usr/bin/python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check 'patroni[etcd3]==3.0.2' psycopg2-binary==2.9.10 urllib3==1.26.20 ydiff==1.2 setuptools==80.9.0
export LD_LIBRARY_PATH="$PWD/deb/usr/lib/x86_64-linux-gnu:${LD_LIBRARY_PATH:-}" POSTGRES_PROGRAMS="$PWD/deb/usr/lib/postgresql/15/bin"
PATH="$PWD/deb/usr/bin:$PWD/venv/bin:$PATH" node "$ATTUNE_ROOT/compat/tools/beside-database.ts" patroni
