#!/usr/bin/env bash
# Installs the PostgreSQL server that tests start in folders of their own.
#
# The one that Debian's package makes of itself, and starts with the machine, is taken away again. Where PostgreSQL
# is there already, nothing is changed.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v apt-get > /dev/null || exit 0
command -v pg_lsclusters > /dev/null && exit 0
more_packages=postgresql
source Scripts/setup.sh
pg_lsclusters --no-header | while read -r version name _; do
  as_root pg_dropcluster --stop "$version" "$name"
done
