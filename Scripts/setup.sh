# What `run` and `test` need: Swift, and the C libraries. Sourced by both, from the package's root.
#
# Installs only what is missing, and says so; with everything there it takes no time.

needed_packages=(
  ca-certificates git binutils gcc libc6-dev libstdc++-12-dev  # what Swift needs to link
  libncurses6 libedit2 libgcc-12-dev                           # what the toolchain needs to run
  libcurl4 libxml2 tzdata                                      # what Foundation needs to run
  pkg-config libsqlite3-dev zlib1g-dev                         # what we link
  libmicrohttpd-dev libvips-dev libgumbo-dev                   # what the web programs link
  libsodium-dev                                                # what encrypts between devices
  libcurl4-openssl-dev                                         # a device's way to its server
  sqlite3                                                      # what tests look into files with
  poppler-utils                                                # what reads the words of PDFs (0.2 MB)
  libpq-dev                                                    # what CoreDataPostgreSQL links
  python3 python3-venv                                         # what Scripts/setup-web.sh needs
  ${more_packages:-}
)

missing_packages() {
  local package
  for package in "${needed_packages[@]}"; do
    dpkg-query -W -f='${db:Status-Status}\n' "$package" 2> /dev/null | grep -qx installed ||
      echo "$package"
  done
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

install_packages() {
  local missing
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0
  echo "Installing" $missing
  export DEBIAN_FRONTEND=noninteractive
  as_root apt-get update -qq
  # apt-get is quiet only when nobody listens; what goes wrong it says on the other channel.
  as_root apt-get install -y -qq --no-install-recommends $missing > /dev/null
}

find_swift() {
  command -v swift > /dev/null || PATH="/opt/swift/usr/bin:$PATH"
  command -v swift > /dev/null && return
  echo "Swift 6.3 is needed and not found: install it from https://www.swift.org/install" \
    "and put its usr/bin on PATH, or unpack it to /opt/swift." >&2
  exit 1
}

# All packages here are built into one folder, so that the framework is compiled once for all of them.
# SwiftPM would keep the plan of the build that was the last, and would not see that files of a package
# it depends on by path have come or gone; so it plans each time.
shared_build=(--scratch-path "$PWD/.build" --disable-build-manifest-caching)

if command -v apt-get > /dev/null; then
  install_packages
fi
find_swift
