import Foundation

/// A socket that clients can connect to.
struct ListeningSocket {
  let descriptor: Int32
  let port: Int

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
    self.port = Self.port(of: descriptor)
  }

  private static func refusal(_ host: String, _ port: Int) -> Problem {
    errno == EADDRINUSE
      ? Problem(500, "The port \(port) of \(host) is in use; choose another one, or 0 for any.")
      : Problem(
        500,
        "The server cannot listen at \(host), port \(port): \(String(cString: strerror(errno)))."
      )
  }

  private static func port(of descriptor: Int32) -> Int {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let port = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          _ = getsockname(descriptor, $0, &length)
        }
        // The port stands at the same place in addresses of both families.
        return address.pointee.sin6_port
      }
    }
    return Int(UInt16(bigEndian: port))
  }
}
