import Foundation

/// A port of this machine that stays one test's, also while nobody listens at it.
///
/// A server that is stopped and started again asks for its port a second time. The system may have given it away
/// meanwhile: a thousand tests beside this one connect and listen. It gives nobody a port to which a socket is bound; who
/// asks for it by its number, and allows that addresses are reused, as servers do, listens there, and whoever connects
/// while nobody listens is refused.
public final class KeptPort: Sendable {
  public let number: Int
  private let descriptor: Int32

  public init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (descriptor, isBound) = withUnsafeMutablePointer(to: &address) { [descriptor] in
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        (descriptor, bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0)
      }
    }
    number = Int(UInt16(bigEndian: address.sin_port))
    guard isBound else {
      close(descriptor)
      throw POSIXError(.EADDRINUSE)
    }
  }

  deinit { close(descriptor) }
}
