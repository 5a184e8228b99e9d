// swift-tools-version: 6.2
import PackageDescription

/// What the tests start other programs with.
let programs = Target.Dependency.product(name: "_ChildPrograms", package: "open-core-data")

/// The server of the web programs, and its reader of JSON.
let webServer = Target.Dependency.product(name: "CoreDataWebServer", package: "open-core-data")
let strictJSON = Target.Dependency.product(name: "_CoreDataStrictJSON", package: "open-core-data")

/// Programs on top of the framework, in a package of their own: they can use only what is public.
///
/// They share one package so that the framework is compiled once for all of them.
let package = Package(
  name: "Apps",
  products: [
    .executable(name: "bookstore", targets: ["BookStore"]),
    .executable(name: "bookserver", targets: ["BookServer"]),
    .executable(name: "first-notes", targets: ["FirstNotes"]),
    .executable(name: "slipbox", targets: ["Slipbox"]),
    .executable(name: "notes", targets: ["Notes"]),
    .executable(name: "saved-colours", targets: ["SavedColours"]),
    .executable(name: "journal", targets: ["Journal"]),
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
    .testTarget(name: "BookStoreTests", dependencies: ["BookStore", programs]),

    // A server that several processes run over one store, and what it is measured against
    .executableTarget(
      name: "BookServer",
      dependencies: [
        .product(name: "CoreData", package: "open-core-data"),
        .product(name: "CoreDataPostgreSQL", package: "open-core-data"), webServer,
      ],
      plugins: [.plugin(name: "CoreDataModels", package: "open-core-data")]
    ),
    .testTarget(
      name: "BookServerTests",
      dependencies: [
        "BookServer", webServer, programs,
        .product(name: "CoreData", package: "open-core-data"),
      ]
    ),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .executableTarget(name: "PlainBooks", dependencies: ["CSQLite", strictJSON, webServer]),

    // The example that README.md shows
    .executableTarget(
      name: "FirstNotes",
      dependencies: [.product(name: "CoreData", package: "open-core-data")],
      plugins: [.plugin(name: "CoreDataModels", package: "open-core-data")]
    ),
    .testTarget(name: "ReadmeTests", dependencies: ["FirstNotes", programs]),

    // Code as it was written for Xcode, which stands in Xcode/, brought over with coredata port
    .executableTarget(
      name: "Journal",
      dependencies: [.product(name: "CoreData", package: "open-core-data")],
      plugins: [.plugin(name: "CoreDataModels", package: "open-core-data")]
    ),
    .testTarget(
      name: "JournalTests",
      dependencies: ["Journal", programs, .product(name: "CoreData", package: "open-core-data")]
    ),

    // What the three web programs stand on
    .systemLibrary(name: "CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "Archives", dependencies: ["CZlib"]),
    .testTarget(name: "ArchivesTests", dependencies: ["Archives", programs]),
    .target(name: "Pictures", dependencies: ["CVips", strictJSON]),
    // Pictures are read by Slipbox in a process of its own.
    .testTarget(name: "PicturesTests", dependencies: ["Pictures", "Slipbox"]),

    // Slipbox: its texts, its data, its pages
    .systemLibrary(name: "CGumbo", pkgConfig: "gumbo", providers: [.apt(["libgumbo-dev"])]),
    .target(name: "RichText", dependencies: ["CGumbo", strictJSON]),
    .testTarget(name: "RichTextTests", dependencies: ["RichText"]),
    .target(
      name: "SlipboxLibrary",
      dependencies: [
        .product(name: "CoreData", package: "open-core-data"),
        .product(name: "CoreDataPostgreSQL", package: "open-core-data"),
        // Found by name, by the container that keeps the notes in step with other devices.
        .product(name: "CoreDataSync", package: "open-core-data"),
        "Archives", "CVips", "Pictures", "RichText", strictJSON,
      ],
      plugins: [.plugin(name: "CoreDataModels", package: "open-core-data")]
    ),
    .testTarget(
      name: "SlipboxLibraryTests",
      dependencies: ["Archives", "Pictures", "RichText", "Slipbox", "SlipboxLibrary", programs]
    ),
    .executableTarget(
      name: "Slipbox",
      dependencies: ["Look", "Pictures", "SlipboxLibrary", strictJSON, webServer],
      resources: [.copy("Web")]
    ),
    .testTarget(
      name: "SlipboxTests",
      dependencies: ["Archives", "Slipbox", "SlipboxLibrary", webServer, programs]
    ),

    // Two small programs with the same look
    .target(name: "Look", resources: [.copy("Web")]),
    .executableTarget(
      name: "Notes",
      dependencies: [.product(name: "CoreData", package: "open-core-data"), "Look", webServer],
      resources: [.copy("Web")],
      plugins: [.plugin(name: "CoreDataModels", package: "open-core-data")]
    ),
    .testTarget(
      name: "NotesTests",
      dependencies: [
        "Notes", webServer, programs, .product(name: "CoreData", package: "open-core-data"),
      ]
    ),
    .executableTarget(
      name: "SavedColours",
      dependencies: [.product(name: "CoreData", package: "open-core-data"), "Look", webServer],
      resources: [.copy("Web")],
      plugins: [.plugin(name: "CoreDataModels", package: "open-core-data")]
    ),
    .testTarget(
      name: "SavedColoursTests",
      dependencies: [
        "SavedColours", webServer, .product(name: "CoreData", package: "open-core-data"),
      ]
    ),
  ]
)

/// One batch of files for each processor, as in the framework's package.
let largeBatches = SwiftSetting.unsafeFlags(
  ["-driver-batch-size-limit", "1000"],
  .when(configuration: .debug)
)

/// The tables of tests, as in the framework's package.
let lightTests = SwiftSetting.unsafeFlags(["-gline-tables-only"], .when(configuration: .debug))

for target in package.targets where target.type != .system {
  if target.name == "Journal" {
    target.swiftSettings = [.swiftLanguageMode(.v5)]
    continue
  }
  target.swiftSettings = [
    largeBatches,
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
  ]
  if target.type == .test { target.swiftSettings?.append(lightTests) }
}
