// swift-tools-version: 6.1
import PackageDescription

/// Writes Documentation/Parity.md and Documentation/SwiftDataParity.md.
///
/// A package of its own, so that nobody who uses the framework builds it.
let package = Package(
  name: "Parity",
  targets: [
    .executableTarget(
      name: "Parity",
      swiftSettings: [.enableUpcomingFeature("ExistentialAny")]
    )
  ]
)
