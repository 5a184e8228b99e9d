// swift-tools-version: 6.2
import PackageDescription

// The sync engine for Apple's systems, over Apple's own Core Data. The sources are those of the package beside it, by links;
// Documentation/FromAnIPhone.md says how to use it. Scripts/check-apple compiles all of it on Linux, against the signatures
// of Apple's Core Data.

#if os(Linux)
// This manifest is read on Linux only by Scripts/check-apple.
let sodium: Target = .systemLibrary(
  name: "CoreDataCSodium",
  path: "Sources/CoreDataCSodiumOfLinux"
)
let dependencies: [Package.Dependency] = []
#else
let sodium: Target = .target(
  name: "CoreDataCSodium",
  dependencies: [.product(name: "Clibsodium", package: "swift-sodium")]
)
let dependencies: [Package.Dependency] = [
  .package(url: "https://github.com/jedisct1/swift-sodium.git", from: "0.9.1")
]
#endif

let package = Package(
  name: "CoreDataSync",
  platforms: [.iOS(.v17), .macOS(.v14)],
  products: [.library(name: "CoreDataSync", targets: ["CoreDataSyncDevice"])],
  dependencies: dependencies,
  targets: [
    .systemLibrary(name: "CoreDataCSQLite"),
    .systemLibrary(name: "CoreDataCZlib"),
    sodium,
    // Its SHA-256, no more
    .target(name: "CoreDataModel"),
    .target(name: "CoreDataSQL"),
    .target(name: "CoreDataSQLite", dependencies: ["CoreDataSQL", "CoreDataCSQLite"]),
    .target(name: "CoreDataSyncCore", dependencies: ["CoreDataCZlib"]),
    .target(name: "CoreDataSyncCrypto", dependencies: ["CoreDataCSodium", "CoreDataSyncCore"]),
    .target(
      name: "CoreDataSync",
      dependencies: ["CoreDataModel", "CoreDataSQL", "CoreDataSQLite", "CoreDataSyncCore"]
    ),
    .target(
      name: "CoreDataSyncDevice",
      dependencies: ["CoreDataSync", "CoreDataSyncCore", "CoreDataSyncCrypto"],
      // What belongs to the container of the package beside it, and libcurl
      exclude: ["Shared/Container", "Shared/Network/CurlConnection.swift"],
      swiftSettings: [.define("APPLES_CORE_DATA")]
    ),
    // The server, for tests without a network
    .target(
      name: "CoreDataSyncServer",
      dependencies: [
        "CoreDataModel", "CoreDataSQL", "CoreDataSQLite", "CoreDataSyncCore", "CoreDataSyncCrypto",
      ]
    ),
    .testTarget(
      name: "CoreDataSyncTests",
      dependencies: [
        "CoreDataSync", "CoreDataSyncCore", "CoreDataSyncCrypto", "CoreDataSyncDevice",
        "CoreDataSyncServer",
      ]
    ),
  ]
)

for target in package.targets where [.regular, .test].contains(target.type) {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .swiftLanguageMode(.v6),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("ImmutableWeakCaptures"),
      .enableUpcomingFeature("InferIsolatedConformances"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
