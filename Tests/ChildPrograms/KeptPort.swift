import Foundation

/// A port of this machine that stays one test's, even if no server listens at it.
///
/// A server that is stopped and started again wants its old port, which the system may have given to another test in
/// between. The system does not give away a port to which a socket is bound, as this one is. A server still gets it: it
/// asks for it by its number, and allows that addresses are reused. A connection while no server listens is refused.
public final class KeptPort: Sendable {
  public let number: Int
  private let descriptor: Int32

  public init() throws {
    let opened = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var yes: Int32 = 1
    setsockopt(opened, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(opened, $0, length) == 0 && getsockname(opened, $0, &length) == 0
      }
    }
    (descriptor, number) = (opened, Int(UInt16(bigEndian: address.sin_port)))
    if !isBound { throw POSIXError(.EADDRINUSE) }
  }

  deinit { close(descriptor) }
}
