// The declarations of swift-service-lifecycle 2 that CoreDataHummingbird uses, for a check of its types.

/// A stand-in for the protocol.
public protocol Service: Sendable {
  func run() async throws
}

/// A stand-in for the function.
public func gracefulShutdown() async throws { fatalError("a stand-in was called") }
