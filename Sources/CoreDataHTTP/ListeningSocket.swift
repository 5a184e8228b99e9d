import CoreDataCRuntime
import Foundation

/// A socket that takes connections.
public struct ListeningSocket: Sendable {
  let descriptor: Int32
  public let address: ListeningAddress

  /// How many clients may wait until the server takes their connections.
  ///
  /// The system may allow less.
  private static let backlog: Int32 = 1_024

  /// Listens at the first address of a name.
  ///
  /// The system chooses a port in the place of port 0.
  public init(host: String, port: Int) throws(ListeningFailure) {
    guard UInt16(exactly: port) != nil else { throw .noPort(port) }
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE
    hints.ai_socktype = coredata_socket_of_stream()
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0, let first = found?.pointee else {
      throw .unknownHost(host)
    }
    defer { freeaddrinfo(found) }
    let type = first.ai_socktype | coredata_socket_closed_on_exec()
    descriptor = socket(first.ai_family, type, 0)
    guard descriptor >= 0 else { throw ListeningFailure(errno, host, port) }
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard bind(descriptor, first.ai_addr, first.ai_addrlen) == 0,
      listen(descriptor, Self.backlog) == 0
    else {
      let failure = ListeningFailure(errno, host, port)
      Foundation.close(descriptor)
      throw failure
    }
    address = Self.address(of: descriptor)
  }

  /// Closes a socket that no server has taken over.
  public func close() { Foundation.close(descriptor) }

  private static func address(of descriptor: Int32) -> ListeningAddress {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = getsockname(descriptor, address, &length)
        return ListeningAddress(of: address, length)
      }
    }
  }
}
