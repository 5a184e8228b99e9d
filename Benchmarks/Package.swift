// swift-tools-version: 6.2
import PackageDescription

private let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "open-core-data", path: "..")],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "ProcessorTime", swiftSettings: settings),
    // Counts what a thread asks the allocator for
    .target(name: "CAllocations"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CAllocations", "CSQLite", "ProcessorTime",
        .product(name: "CoreData", package: "open-core-data"),
      ],
      swiftSettings: settings,
      plugins: [.plugin(name: "CoreDataModels", package: "open-core-data")]
    ),
    // The same work with models of SwiftData and with managed objects; see Scripts/measure-swiftdata
    .executableTarget(
      name: "SwiftDataFigures",
      dependencies: [
        "CSQLite", "ProcessorTime", .product(name: "CoreData", package: "open-core-data"),
        .product(name: "SwiftData", package: "open-core-data"),
      ],
      swiftSettings: settings,
      plugins: [.plugin(name: "CoreDataModels", package: "open-core-data")]
    ),
    // The same work by libpq and on a PostgreSQL store; see Scripts/measure-postgresql
    .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .executableTarget(
      name: "PostgreSQLFigures",
      dependencies: [
        "CPostgreSQL", .product(name: "CoreData", package: "open-core-data"),
        .product(name: "CoreDataPostgreSQL", package: "open-core-data"),
      ],
      swiftSettings: settings,
      plugins: [.plugin(name: "CoreDataModels", package: "open-core-data")]
    ),
    // The cost of keeping devices in step; see Scripts/measure-sync
    .executableTarget(
      name: "SyncFigures",
      dependencies: [
        .product(name: "CoreData", package: "open-core-data"),
        .product(name: "CoreDataSync", package: "open-core-data"),
      ],
      swiftSettings: settings
    ),
  ]
)
