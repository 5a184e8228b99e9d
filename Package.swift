// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

let package = Package(
  name: "open-core-data",
  products: [
    .library(name: "CoreData", targets: ["CoreData"]),
    .library(name: "CoreDataPostgreSQL", targets: ["CoreDataPostgreSQL"]),
    .library(name: "CoreDataCombine", targets: ["Combine"]),
    .library(name: "SwiftData", targets: ["SwiftData"]),
    .library(name: "CoreDataSync", targets: ["CoreDataSyncDevice"]),
    // The web server of programs that coredata new app --web makes
    .library(name: "CoreDataWebServer", targets: ["CoreDataWebServer"]),
    .plugin(name: "CoreDataModels", targets: ["CoreDataModels"]),
    .executable(name: "coredata", targets: ["coredata"]),
    // For the programs of this repository, and for their tests
    .library(name: "_CoreDataStrictJSON", targets: ["CoreDataStrictJSON"]),
    .library(name: "_ChildPrograms", targets: ["ChildPrograms"]),
  ],
  targets: [
    // C doors
    .systemLibrary(
      name: "CoreDataCSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]
    ),
    .systemLibrary(name: "CoreDataCZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CoreDataCMicroHTTPD",
      pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"])]
    ),
    .systemLibrary(
      name: "CoreDataCSodium",
      pkgConfig: "libsodium",
      providers: [.apt(["libsodium-dev"])]
    ),
    .systemLibrary(
      name: "CoreDataCCurl",
      pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"])]
    ),
    .systemLibrary(
      name: "CoreDataCPostgreSQL",
      pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"])]
    ),
    .target(name: "CoreDataCRuntime"),

    // Leaves
    .target(name: "CoreDataPredicates"),
    .target(name: "CoreDataModel", dependencies: ["CoreDataPredicates", "CoreDataCZlib"]),
    .target(name: "CoreDataModelChanges", dependencies: ["CoreDataModel", "CoreDataPredicates"]),
    .target(
      name: "CoreDataModelWriting",
      dependencies: ["CoreDataModel", "CoreDataModelChanges", "CoreDataPredicates"]
    ),
    .target(name: "CoreDataSQL"),
    .target(name: "CoreDataSQLite", dependencies: ["CoreDataSQL", "CoreDataCSQLite"]),

    // The framework
    .target(
      name: "CoreData",
      dependencies: [
        "CoreDataModel", "CoreDataModelChanges", "CoreDataPredicates", "CoreDataSQL",
        "CoreDataSQLite",
        "CoreDataCRuntime",
      ]
    ),

    // SwiftData on top of it, with the program that expands its macros
    .target(name: "SwiftDataExpansion", dependencies: ["BuildToolSwiftCode"]),
    .macro(name: "SwiftDataMacros", dependencies: ["SwiftDataExpansion"]),
    .target(
      name: "SwiftData",
      dependencies: [
        "CoreData", "CoreDataCRuntime", "CoreDataModel", "CoreDataPredicates", "SwiftDataMacros",
      ]
    ),

    // Stores in PostgreSQL databases
    .target(
      name: "CoreDataPostgreSQL",
      dependencies: [
        "CoreData", "CoreDataCPostgreSQL", "CoreDataModel", "CoreDataModelChanges",
        "CoreDataPredicates", "CoreDataSQL", "CoreDataSQLite",
      ]
    ),

    // The part of Apple's Combine that the model layers of apps use
    .target(name: "Combine", dependencies: ["CoreData"]),

    // What is wrong with a file, and how it is mended
    .target(
      name: "CoreDataStoreCare",
      dependencies: [
        "CoreData", "CoreDataModel", "CoreDataPostgreSQL", "CoreDataPredicates", "CoreDataSQL",
        "CoreDataSQLite",
      ]
    ),

    // The HTTP server below the sync server and the programs
    .target(name: "CoreDataHTTP", dependencies: ["CoreDataCMicroHTTPD", "CoreDataCRuntime"]),

    .target(name: "CoreDataStrictJSON"),
    .target(
      name: "CoreDataWebServer",
      dependencies: ["CoreDataCSodium", "CoreDataCZlib", "CoreDataHTTP", "CoreDataStrictJSON"]
    ),

    // A store and its model on a page; the page is in the program, so that one file is all of it
    .target(
      name: "CoreDataStudio",
      dependencies: [
        "CoreData", "CoreDataModel", "CoreDataModelChanges", "CoreDataModelWriting",
        "CoreDataPredicates", "CoreDataSQL", "CoreDataSQLite", "CoreDataStoreCare",
        "CoreDataStrictJSON", "CoreDataWebServer",
      ],
      resources: [.embedInCode("Web")]
    ),

    // Devices that keep their stores in step: what both sides know, the server, the device
    .target(name: "CoreDataSyncCore", dependencies: ["CoreDataCZlib"]),
    .target(name: "CoreDataSyncCrypto", dependencies: ["CoreDataCSodium", "CoreDataSyncCore"]),
    .target(
      name: "CoreDataSyncServer",
      dependencies: [
        "CoreDataModel", "CoreDataSQL", "CoreDataSQLite", "CoreDataSyncCore", "CoreDataSyncCrypto",
      ]
    ),
    .target(
      name: "CoreDataSyncPostgreSQL",
      dependencies: [
        "CoreData", "CoreDataPostgreSQL", "CoreDataSQL", "CoreDataSyncCore", "CoreDataSyncCrypto",
        "CoreDataSyncServer",
      ]
    ),
    .target(
      name: "CoreDataSyncHTTP",
      dependencies: [
        "CoreDataCRuntime", "CoreDataHTTP", "CoreDataSyncCore", "CoreDataSyncCrypto",
        "CoreDataSyncServer",
      ]
    ),
    .target(
      name: "CoreDataSync",
      dependencies: [
        "CoreData", "CoreDataModel", "CoreDataSQL", "CoreDataSQLite", "CoreDataSyncCore",
      ]
    ),
    .target(
      name: "CoreDataSyncDevice",
      dependencies: [
        "CoreData", "CoreDataCCurl", "CoreDataSync", "CoreDataSyncCore", "CoreDataSyncCrypto",
      ]
    ),

    // Models at build time
    .target(name: "CoreDataSwiftCode"),
    .target(
      name: "CoreDataModelCompiler",
      dependencies: ["CoreDataModel", "CoreDataModelChanges", "CoreDataSwiftCode"]
    ),
    .target(name: "BuildToolPredicates", path: "Plugins/Tool/CoreDataPredicates"),
    .target(
      name: "BuildToolModel",
      dependencies: ["BuildToolPredicates", "CoreDataCZlib"],
      path: "Plugins/Tool/CoreDataModel"
    ),
    .target(
      name: "BuildToolModelChanges",
      dependencies: ["BuildToolModel", "BuildToolPredicates"],
      path: "Plugins/Tool/CoreDataModelChanges"
    ),
    .target(name: "BuildToolSwiftCode", path: "Plugins/Tool/CoreDataSwiftCode"),
    .target(
      name: "BuildToolModelCompiler",
      dependencies: ["BuildToolModel", "BuildToolModelChanges", "BuildToolSwiftCode"],
      path: "Plugins/Tool/CoreDataModelCompiler"
    ),
    .executableTarget(
      name: "compile-data-model",
      dependencies: ["BuildToolModel", "BuildToolModelCompiler"]
    ),
    .plugin(
      name: "CoreDataModels",
      capability: .buildTool(),
      dependencies: ["compile-data-model"]
    ),

    // The command line tool
    .executableTarget(
      name: "coredata",
      dependencies: [
        "CoreData", "CoreDataCRuntime", "CoreDataHTTP", "CoreDataModel", "CoreDataModelChanges",
        "CoreDataModelCompiler", "CoreDataModelWriting", "CoreDataPostgreSQL",
        "CoreDataPredicates", "CoreDataSQL", "CoreDataSQLite", "CoreDataStoreCare",
        "CoreDataStudio", "CoreDataSwiftCode", "CoreDataSync", "CoreDataSyncCore",
        "CoreDataSyncDevice", "CoreDataSyncHTTP", "CoreDataSyncPostgreSQL", "CoreDataSyncServer",
        "CoreDataWebServer",
      ]
    ),

    // Tests
    .target(name: "CChildPrograms", path: "Tests/CChildPrograms"),
    .target(
      name: "ChildPrograms",
      dependencies: ["CChildPrograms"],
      path: "Tests/ChildPrograms"
    ),
    .target(
      name: "TestSupport",
      dependencies: ["ChildPrograms", "CoreData", "CoreDataPostgreSQL"],
      path: "Tests/TestSupport",
      plugins: ["CoreDataModels"]
    ),
    .testTarget(name: "CoreDataPredicatesTests", dependencies: ["CoreDataPredicates"]),
    .testTarget(
      name: "CoreDataModelTests",
      dependencies: ["CoreDataModel", "CoreDataModelChanges", "CoreDataModelWriting"]
    ),
    // If a test depended on the macro's own target, SwiftPM would build all tests a second time, as tools
    .testTarget(name: "SwiftDataExpansionTests", dependencies: ["SwiftDataExpansion"]),
    .testTarget(name: "CoreDataSQLTests", dependencies: ["CoreDataSQL"]),
    .testTarget(
      name: "CoreDataHTTPTests",
      dependencies: ["ChildPrograms", "CoreDataHTTP"]
    ),
    .testTarget(name: "CoreDataStrictJSONTests", dependencies: ["CoreDataStrictJSON"]),
    .testTarget(
      name: "CoreDataWebServerTests",
      dependencies: ["ChildPrograms", "CoreDataHTTP", "CoreDataWebServer"]
    ),
    .testTarget(
      name: "CoreDataStudioTests",
      dependencies: [
        "CoreData", "CoreDataModel", "CoreDataSQL", "CoreDataSQLite", "CoreDataStudio",
        "CoreDataWebServer", "TestSupport",
      ]
    ),
    .testTarget(name: "CoreDataSQLiteTests", dependencies: ["CoreDataSQLite"]),
    .executableTarget(
      name: "program-to-kill",
      dependencies: ["CoreData", "TestSupport"],
      path: "Tests/KilledProgram"
    ),
    .executableTarget(
      name: "program-to-fuzz",
      dependencies: [
        "CoreData", "CoreDataModel", "CoreDataModelChanges", "CoreDataPredicates", "CoreDataSQL",
        "CoreDataSQLite", "CoreDataStoreCare", "CoreDataSync", "CoreDataSyncCore",
        "CoreDataSyncCrypto", "CoreDataSyncDevice", "CoreDataSyncHTTP", "CoreDataSyncServer",
      ],
      path: "Tests/FuzzedProgram"
    ),
    .testTarget(
      name: "CoreDataTests",
      dependencies: [
        "ChildPrograms", "CoreData", "CoreDataModelChanges", "CoreDataPostgreSQL",
        "CoreDataStoreCare", "TestSupport", "program-to-kill",
      ]
    ),
    .testTarget(
      name: "SwiftDataTests",
      dependencies: [
        "ChildPrograms", "coredata", "CoreData", "CoreDataModel", "CoreDataPostgreSQL",
        "CoreDataSQL",
        "CoreDataSQLite", "CoreDataStoreCare", "CoreDataSyncDevice", "SwiftData", "TestSupport",
      ]
    ),
    .testTarget(
      name: "CoreDataModelCompilerTests",
      dependencies: ["CoreDataModelCompiler"]
    ),
    .testTarget(
      name: "CoredataToolTests",
      dependencies: [
        "ChildPrograms", "coredata", "CoreDataModel", "CoreDataPostgreSQL", "CoreDataSQLite",
        "CoreDataStoreCare", "TestSupport",
      ]
    ),
    .executableTarget(
      name: "program-to-follow",
      dependencies: ["CoreData", "CoreDataSyncDevice"],
      path: "Tests/FollowingProgram"
    ),
    // The model layer of the example for Apple's systems
    .target(
      name: "AppleExample",
      dependencies: ["CoreData", "CoreDataSyncDevice"],
      path: "Tests/AppleExample",
      plugins: ["CoreDataModels"]
    ),
    .target(
      name: "SyncSimulation",
      dependencies: [
        "CoreData", "CoreDataSync", "CoreDataSyncCore", "CoreDataSyncCrypto", "CoreDataSyncServer",
        "TestSupport",
      ],
      path: "Tests/SyncSimulation"
    ),
    .executableTarget(
      name: "program-to-simulate",
      dependencies: ["SyncSimulation"],
      path: "Tests/SimulatingProgram"
    ),
    .testTarget(
      name: "CoreDataSyncTests",
      dependencies: [
        "AppleExample", "ChildPrograms", "coredata", "program-to-follow", "CoreData",
        "CoreDataHTTP", "CoreDataSQLite", "CoreDataSync", "CoreDataSyncCore", "CoreDataSyncCrypto",
        "CoreDataSyncDevice", "CoreDataSyncHTTP", "CoreDataSyncPostgreSQL", "CoreDataSyncServer",
        "SyncSimulation",
        "TestSupport",
      ],
      exclude: ["Protocol/client.py"]
    ),
    .testTarget(name: "CombineTests", dependencies: ["Combine", "CoreData", "TestSupport"]),
    .testTarget(name: "EndToEndTests", dependencies: ["CoreData"], plugins: ["CoreDataModels"]),

    // The code of the documents, as close to their text as Linux permits
    .target(
      name: "SlipboxProject",
      dependencies: ["CoreData"],
      path: "Tests/SeedsTests/SlipboxProject",
      plugins: ["CoreDataModels"]
    ),
    .testTarget(
      name: "SlipboxProjectTests",
      dependencies: ["SlipboxProject", "CoreData"],
      path: "Tests/SeedsTests/SlipboxProjectTests"
    ),
    .testTarget(
      name: "SeedsTests",
      dependencies: ["CoreData"],
      path: "Tests/SeedsTests/Listings",
      plugins: ["CoreDataModels"]
    ),

    // Properties with @NSManaged
    .target(
      name: "ManagedAuthors",
      dependencies: ["CoreData"],
      path: "Tests/ManagedAuthors",
      plugins: ["CoreDataModels"]
    ),
    .testTarget(
      name: "ManagedPropertyTests",
      dependencies: [
        "ChildPrograms", "CoreData", "CoreDataModelCompiler", "CoreDataSwiftCode", "ManagedAuthors",
      ],
      plugins: ["CoreDataModels"]
    ),
  ]
)

/// Code that was written for Xcode: in version 5 mode, and with the warnings that it has there.
let foreign = ["SlipboxProject", "SlipboxProjectTests", "SeedsTests"]

/// One batch of a module's files for each processor, where nothing is optimized.
///
/// The compiler would take 25 files at a time and look at all others again for each: of this framework it takes 153 s of
/// processor time so, and 110 s in two batches.
let largeBatches = SwiftSetting.unsafeFlags(
  ["-driver-batch-size-limit", "1000"],
  .when(configuration: .debug)
)

/// Tests are two thirds of the processor time of a debug build with them.
///
/// A failure needs the lines of the debugger's tables, and no more.
let lightTests = SwiftSetting.unsafeFlags(["-gline-tables-only"], .when(configuration: .debug))

/// What the build plugin runs is made of the same files as the framework, by modules of its own that are not optimized.
///
/// SwiftPM builds a plugin's tool twice, before it asks the plugin and with the program; optimized, as the framework is,
/// that was a fifth of the processor time of a first release build. The links in Plugins/Tool are there because a file
/// may belong to one target only. The program that expands macros is treated like that too: optimized it saves 20 ms for
/// each class, and takes five seconds more to build.
let unoptimized = SwiftSetting.unsafeFlags(["-Onone"], .when(configuration: .release))
let builders = [
  "BuildToolPredicates", "BuildToolModel", "BuildToolModelChanges", "BuildToolSwiftCode",
  "BuildToolModelCompiler", "compile-data-model", "SwiftDataExpansion", "SwiftDataMacros",
]

/// The names by which those files import each other.
let aliases = SwiftSetting.unsafeFlags(
  ["Predicates", "Model", "ModelChanges", "SwiftCode", "ModelCompiler"].flatMap {
    ["-module-alias", "CoreData\($0)=BuildTool\($0)"]
  }
)

for target in package.targets where [.regular, .executable, .macro, .test].contains(target.type) {
  guard !["CoreDataCRuntime", "CChildPrograms"].contains(target.name) else { continue }
  if foreign.contains(target.name) {
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
  if builders.contains(target.name) { target.swiftSettings? += [unoptimized, aliases] }
}
