@testable import CoreDataSyncDevice

/// The connections by which a device reaches its server: the one of Linux, and the one of the package for Apple's systems.
enum ConnectionKind: CaseIterable, Sendable {
  case curl
  case urlSession

  var connect: HTTPTransport.Connecting {
    switch self {
    case .curl: { CurlConnection() }
    case .urlSession: { URLSessionConnection() }
    }
  }
}
