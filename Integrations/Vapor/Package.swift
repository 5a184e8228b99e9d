// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "CoreDataVapor",
  products: [.library(name: "CoreDataVapor", targets: ["CoreDataVapor"])],
  dependencies: [
    .package(name: "open-core-data", path: "../.."),
    .package(url: "https://github.com/vapor/vapor.git", from: "4.100.0"),
  ],
  targets: [
    .target(
      name: "CoreDataVapor",
      dependencies: [
        .product(name: "CoreData", package: "open-core-data"),
        .product(name: "Vapor", package: "vapor"),
      ]
    )
  ]
)
