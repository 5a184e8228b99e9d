import Foundation

/// A socket that clients can connect to.
struct ListeningSocket {
  let descriptor: Int32
  let address: BoundAddress

  var port: Int { address.port }

  /// Listens at the first address of a name; says why when that is not possible.
  init(host: String, port: Int) throws(Problem) {
    guard let wanted = UInt16(exactly: port) else {
      throw Problem(500, "\(port) is no port; ports go from 0 to 65535.")
    }
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(wanted), &hints, &found) == 0, let address = found?.pointee
    else {
      throw Problem(500, "There is no address of the name \(host).")
    }
    defer { freeaddrinfo(found) }
    let descriptor = socket(
      address.ai_family,
      address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue),
      0
    )
    guard descriptor >= 0 else { throw Self.refusal(host, port) }
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard bind(descriptor, address.ai_addr, address.ai_addrlen) == 0, listen(descriptor, 1_024) == 0
    else {
      let refusal = Self.refusal(host, port)
      close(descriptor)
      throw refusal
    }
    self.descriptor = descriptor
    self.address = BoundAddress(of: descriptor)
  }

  private static func refusal(_ host: String, _ port: Int) -> Problem {
    errno == EADDRINUSE
      ? Problem(500, "The port \(port) of \(host) is in use; choose another one, or 0 for any.")
      : Problem(
        500,
        "The server cannot listen at \(host), port \(port): \(String(cString: strerror(errno)))."
      )
  }
}

/// The address that a socket has been given.
struct BoundAddress: Sendable {
  /// In numbers: `127.0.0.1`, `::1`.
  let host: String
  let port: Int
  /// Whether only this machine reaches it.
  let isLoopback: Bool

  var hostInAddresses: String { host.contains(":") ? "[\(host)]" : host }

  init(of descriptor: Int32) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    var port = 0
    withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = getsockname(descriptor, address, &length)
        _ = getnameinfo(address, length, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST)
      }
      // The port is at the same place in addresses of both families.
      port = pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
        Int(UInt16(bigEndian: $0.pointee.sin6_port))
      }
    }
    host = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    self.port = port
    isLoopback = host.hasPrefix("127.") || host == "::1" || host.hasPrefix("::ffff:127.")
  }
}
