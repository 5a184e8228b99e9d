// swift-tools-version: 6.2
import PackageDescription

/// Programs on top of the framework, in a package of their own: they can use only what is public.
///
/// They share one package so that the framework is compiled once for all of them.
let package = Package(
  name: "Apps",
  products: [
    .executable(name: "bookstore", targets: ["BookStore"]),
    .executable(name: "first-notes", targets: ["FirstNotes"]),
  ],
  dependencies: [
    .package(name: "open-core-data", path: "..")
  ],
  targets: [
    .executableTarget(
      name: "BookStore",
      dependencies: [.product(name: "CoreData", package: "open-core-data")],
      plugins: [.plugin(name: "CoreDataModels", package: "open-core-data")]
    ),
    .testTarget(name: "BookStoreTests", dependencies: ["BookStore"]),

    // The example that README.md shows
    .executableTarget(
      name: "FirstNotes",
      dependencies: [.product(name: "CoreData", package: "open-core-data")],
      plugins: [.plugin(name: "CoreDataModels", package: "open-core-data")]
    ),
    .testTarget(name: "ReadmeTests", dependencies: ["FirstNotes"]),
  ]
)

for target in package.targets {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
  ]
}
