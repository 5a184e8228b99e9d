#!/usr/bin/env bash
# SwiftPM of Swift 6.3.1: one test target that depends on a macro's target has all test targets of the package, and all
# modules that they use, compiled a second time.
#
# A macro's target is compiled for the machine that builds, as a tool. If a test target depends on it, `swift build --build-tests`
# compiles every test target of the package once more as a tool, with its dependencies, although target and host are the same
# machine. In a package with a large library, the processor time of the build doubles. Nothing is said.
#
# Seen on 2026-11-29, in a package with a library, its tests, a macro, and tests of the macro:
#   tests depend on the macro's target      Library.build and Library-tool.build
#   tests depend on an ordinary target      Library.build alone
#
# The remedy: the logic of the macro in an ordinary target, which both the tests and the macro's target depend on.
#
# Needs Swift and no package; builds in a temporary folder, and fails if the behaviour is another one.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"

mkdir -p Sources/{Library,Logic,Expander} Tests/{LibraryTests,LogicTests}
echo 'public func answer() -> Int { 42 }' > Sources/Library/Library.swift
echo 'public func expansion() -> String { "" }' > Sources/Logic/Logic.swift
printf 'import Logic\n\n@main enum Expander { static func main() { print(expansion()) } }\n' > Sources/Expander/Expander.swift
printf 'import Library\nimport Testing\n\n@Test func answers() { #expect(answer() == 42) }\n' > Tests/LibraryTests/Tests.swift
printf 'import Testing\n\n@Test func holds() {}\n' > Tests/LogicTests/Tests.swift

# The second build of the library, if the tests of the logic depend on a target.
second_build() {
  cat > Package.swift <<END
// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

let package = Package(
  name: "Twice",
  targets: [
    .target(name: "Library"),
    .target(name: "Logic"),
    .macro(name: "Expander", dependencies: ["Logic"]),
    .testTarget(name: "LibraryTests", dependencies: ["Library"]),
    .testTarget(name: "LogicTests", dependencies: ["$1"]),
  ]
)
END
  rm -rf .build
  swift build --build-tests --quiet > log 2>&1 || { cat log; exit 1; }
  find .build -type d -name 'Library-tool.build' | head -n 1
}

swift --version 2> /dev/null | head -n 1
with_macro=$(second_build Expander)
without_macro=$(second_build Logic)
echo "tests of the macro's target:    ${with_macro:-no second build}"
echo "tests of an ordinary target:    ${without_macro:-no second build}"
[ -n "$with_macro" ] || { echo "SwiftPM builds the library once now"; exit 1; }
[ -z "$without_macro" ] || { echo "SwiftPM builds the library twice in any case now"; exit 1; }
echo "As described: the library was built twice for tests that depend on a macro."
