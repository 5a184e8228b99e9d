#!/usr/bin/env bash
# Rules that no compiler checks. Says each breach with its place.
set -euo pipefail
cd "$(dirname "$0")/.."

breaches=0

# forbid <sentence> <git grep arguments…>
forbid() {
  local sentence=$1
  shift
  local status=0
  git grep --untracked -nI "$@" || status=$?
  case $status in
    0)
      echo "↑ $sentence"
      breaches=$((breaches + 1))
      ;;
    1) ;;           # nothing found
    *) exit 1 ;;    # the search itself went wrong
  esac
}

# SQL is a value: queries stand where tables are known. SQLite/ asks a file about itself, and so does
# who cares for one.
forbid 'SQL is written under CoreDataSQL/, CoreDataStoreCare/, Stores/, Statements/, CoreDataPostgreSQL/, Migration/, Sidecar/, Storage/ and CoreDataSyncPostgreSQL/ only.' \
  -E '"(SELECT|INSERT INTO|DELETE FROM) ' -- 'Sources/*.swift' \
  ':!Sources/CoreDataSQL' ':!Sources/CoreData/Stores' ':!Sources/CoreData/*/Statements/*' \
  ':!Sources/CoreDataPostgreSQL' ':!Sources/CoreData/Migration' ':!Sources/CoreDataStoreCare' \
  ':!Sources/CoreDataSync/Sidecar' ':!Sources/CoreDataSyncServer/Storage' \
  ':!Sources/CoreDataSyncPostgreSQL'

# Whatever a context sees of a store is in its cache too, and was asked for in its name.
forbid 'Rows are read through a StoreView; only what copies whole stores asks a backend itself.' \
  -E 'backend\.(rows?|members|count|records)\(' -- 'Sources/*.swift' \
  ':!Sources/CoreData/Coordination/StoreView.swift' ':!Sources/CoreData/Coordination/StoreTransfer.swift' \
  ':!Sources/CoreData/Coordination/StoreExport.swift'

# What is relational is of no one database.
forbid 'Code for SQLite is in Stores/SQLite/; ask the driver or the dialect.' \
  -E 'import CoreDataSQLite|SQLiteError|SQLiteDialect|json_each|INSERT OR|IFNULL\(|sqlite_master|PRAGMA|CREATE TRIGGER|for: \.sqlite|SQLSpelling\.sqlite' \
  -- 'Sources/CoreData/Stores/Relational/*.swift' \
  ':!Sources/CoreData/Stores/Relational/Dialect/SQLDialect.swift' \
  ':!Sources/CoreData/Stores/Relational/Compiling/ConstantList.swift'

# A clock that is set back by a year would have somebody wait for a year.
forbid 'Waiting until a time of day; use MonotonicCondition, and ContinuousClock for when it ends.' \
  -E 'NSCondition|wait\(until:|Date\(\) *[<>+]' -- 'Sources/CoreDataSyncDevice/*.swift'

# Nothing in the project knows on whose machine it was written.
forbid 'A path of one machine; make it relative, or take it from the environment.' \
  -E '(^|[^A-Za-z0-9_.~-])/(home/[a-z]|Users/[A-Za-z]|root/|work/|tmp/)' -- . \
  ':!Scripts/check-sources.sh'

forbid 'A merge was not finished.' -E '^(<<<<<<<|>>>>>>>) ' -- .

forbid 'Promises are kept in issues, not in sources.' \
  -wE 'TODO|FIXME|XXX|HACK' -- '*.swift'

# Where a module has everything on the main actor, a subclass of another class cannot override its methods. Of a class that
# is Sendable, it could not have lazy properties.
forbid 'Classes that others subclass are nonisolated, unless they are Sendable.' \
  -E -e '^open class' --and --not -e 'Sendable' -- 'Sources/CoreData/*.swift' 'Sources/CoreDataPredicates/*.swift'

forbid 'Legal input gets an answer or an error, never a crash.' \
  -iE 'fatalError\("(unsupported|not implemented|unimplemented)' -- '*.swift'

# Whatever a file, a request or an argument says may be the smallest of all numbers, or nested without end.
forbid 'abs() stops the program at the smallest number; compare with a range, or take .magnitude.' \
  -E '(^|[^.A-Za-z_])abs\(' -- 'Sources/*.swift' 'Apps/Sources/*.swift'

forbid 'JSON is read by CoreDataStrictJSON, which bounds its size, its depth and its numbers.' \
  -E 'JSONDecoder\(|JSONSerialization' -- 'Apps/Sources/*.swift' 'Sources/CoreDataWebServer/*.swift'

forbid 'A number that comes as text is read by WholeNumber, with its bounds.' \
  -E '(let [A-Za-z]+ = U?Int(8|16|32|64)?\([^:()]+\)(,| else| \{)|[mM]ap(\(| \{ )U?Int(8|16|32|64)?(\(\$0\)|\.init\)))' \
  -- 'Apps/Sources/*.swift' 'Sources/CoreDataWebServer/*.swift' ':!Apps/Sources/BookStore'

# The compiler's plugin runs where the compiler does; everything else is to be built for musl, too.
forbid 'glibc alone has this name or type; put the call into CoreDataCRuntime/system.c, or beside #if canImport(Glibc).' \
  -E '^import Glibc|__rlimit_resource_t\(|__rusage_who_t|(SOCK_[A-Z]+|RLIMIT_[A-Z]+|RUSAGE_[A-Z]+)\.rawValue|__sigaction_handler|pthread_cond_clockwait' \
  -- 'Sources/*.swift' ':!Sources/SwiftDataExpansion' ':!Sources/SwiftDataMacros' \
  ':!Sources/CoreDataSQLite/FileSizeLimit.swift'

# An error that is dropped was a decision: the comment beside it, or a few lines above, says which.
dropped=$(git ls-files -co --exclude-standard 'Sources/*.swift' 'Apps/Sources/*.swift' | xargs awk '
  FNR == 1 { reason = -9 }
  /\/\// { reason = FNR }
  /try\?/ && FNR - reason > 4 { print FILENAME ":" FNR ":" $0 }')
if [ -n "$dropped" ]; then
  echo "$dropped"
  echo '↑ try? drops an error; say beside it why that is right, or decide with do and catch.'
  breaches=$((breaches + 1))
fi

# The version is written in one place; what people read about it must agree.
version=$(sed -nE 's/^  static let number = "([^"]+)"$/\1/p' Sources/coredata/PackageVersion.swift)
newest=$(sed -nE 's/^## ([0-9]+\.[0-9]+\.[0-9]+)$/\1/p' CHANGELOG.md | head -n 1)
asked=$(sed -nE 's/.*\.upToNextMinor\(from: "([^"]+)"\).*/\1/p' README.md | sort -u)
if [ -z "$version" ] || [ "$newest" != "$version" ] || [ "$asked" != "$version" ]; then
  echo "Sources/coredata/PackageVersion.swift: '$version', CHANGELOG.md: '$newest', README.md: '$asked'"
  echo '↑ The newest version in CHANGELOG.md and the one in README.md are those of PackageVersion.swift.'
  breaches=$((breaches + 1))
fi

# Sources alone are committed: no builds, stores, logs or editors' folders.
committed=$(git ls-files | grep -E \
  '(^|/)(\.build|\.swiftpm|vendor|\.vscode|\.idea|DerivedData)/|\.(sqlite|sqlite-wal|sqlite-shm|o|log|profraw)$|\.DS_Store$' ||
  true)
if [ -n "$committed" ]; then
  echo "$committed"
  echo '↑ These are made, not written; remove them with git rm --cached.'
  breaches=$((breaches + 1))
fi

[ "$breaches" = 0 ]
