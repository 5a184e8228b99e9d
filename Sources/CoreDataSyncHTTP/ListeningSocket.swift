import CoreDataSyncServer
import Foundation

/// A socket that takes connections.
struct ListeningSocket {
  let descriptor: Int32
  let address: ListeningAddress

  /// Listens at the first address of a name.
  init(host: String, port: Int) throws(ServiceRefusal) {
    guard UInt16(exactly: port) != nil else {
      throw ServiceRefusal(500, "\(port) is no port; ports go from 0 to 65535.")
    }
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0, let first = found?.pointee else {
      throw ServiceRefusal(
        500,
        "There is no address of the name \(host); give another with --host."
      )
    }
    defer { freeaddrinfo(found) }
    let type = first.ai_socktype | Int32(SOCK_CLOEXEC.rawValue)
    descriptor = socket(first.ai_family, type, 0)
    guard descriptor >= 0 else { throw Self.refusal(host, port) }
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard bind(descriptor, first.ai_addr, first.ai_addrlen) == 0, listen(descriptor, 128) == 0
    else {
      let refusal = Self.refusal(host, port)
      close(descriptor)
      throw refusal
    }
    address = Self.address(of: descriptor)
  }

  private static func refusal(_ host: String, _ port: Int) -> ServiceRefusal {
    let number = errno
    let sentence =
      switch number {
      case EADDRINUSE:
        "The port \(port) of \(host) is in use; choose another with --port, or 0 for any."
      case EADDRNOTAVAIL:
        """
        This machine has no address \(host); give one that it has with --host, or 0.0.0.0 for all of them.
        """
      case EACCES where port < 1024:
        """
        The system lets only its administrator listen at port \(port); choose one from 1024 on with --port.
        """
      case EMFILE, ENFILE:
        """
        The system lets this program open no more files; start it with a higher limit, such as with ulimit -n 4096.
        """
      case _:
        "The server cannot listen at \(host), port \(port): \(String(cString: strerror(number)))."
      }
    return ServiceRefusal(500, sentence)
  }

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
