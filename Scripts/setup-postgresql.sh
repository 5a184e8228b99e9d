#!/usr/bin/env bash
# Installs the PostgreSQL server and the pooler that tests start in folders of their own.
#
# The server that Debian's package makes of itself, and starts with the machine, is taken away again; the pooler is
# stopped, and starts no more. Where one of them is there already, nothing is changed of it.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v apt-get > /dev/null || exit 0
more_packages=
command -v pg_lsclusters > /dev/null || more_packages=postgresql
[ -x /usr/sbin/pgbouncer ] || more_packages="$more_packages pgbouncer"
[ -n "$more_packages" ] || exit 0
source Scripts/setup.sh
if [[ $more_packages = *postgresql* ]]; then
  pg_lsclusters --no-header | while read -r version name _; do
    as_root pg_dropcluster --stop "$version" "$name"
  done
fi
if [[ $more_packages = *pgbouncer* ]]; then
  as_root service pgbouncer stop > /dev/null
  as_root update-rc.d pgbouncer disable
fi
