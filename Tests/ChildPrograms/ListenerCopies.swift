import Foundation

/// Copies of the socket that listens at a port for this process, as a program has them that is just being started.
public final class ListenerCopies {
  public let descriptors: [Int32]

  public init(at port: Int) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    descriptors = names.compactMap(Int32.init).compactMap { descriptor in
      guard Self.listens(descriptor, at: port) else { return nil }
      let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
      return copy >= 0 ? copy : nil
    }
  }

  deinit { for descriptor in descriptors { close(descriptor) } }

  private static func listens(_ descriptor: Int32, at port: Int) -> Bool {
    var (isListening, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    var (address, length) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
    let isNamed = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length) == 0
      }
    }
    return isNamed && getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0
      && isListening != 0 && UInt16(bigEndian: address.sin_port) == UInt16(port)
  }
}
