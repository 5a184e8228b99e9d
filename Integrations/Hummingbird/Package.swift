// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "CoreDataHummingbird",
  products: [.library(name: "CoreDataHummingbird", targets: ["CoreDataHummingbird"])],
  dependencies: [
    .package(name: "open-core-data", path: "../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.0.0"),
  ],
  targets: [
    .target(
      name: "CoreDataHummingbird",
      dependencies: [
        .product(name: "CoreData", package: "open-core-data"),
        .product(name: "Hummingbird", package: "hummingbird"),
      ]
    )
  ]
)
