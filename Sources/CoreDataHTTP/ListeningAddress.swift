import Foundation

/// The address at which a server can be reached.
public struct ListeningAddress: Hashable, Sendable {
  /// The host in numbers, such as `127.0.0.1` and `::1`, or its name.
  public let host: String
  public let port: Int

  package init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  /// The host as URLs write it: `127.0.0.1` or `[::1]`.
  public var hostInURLs: String { host.contains(":") ? "[\(host)]" : host }

  /// The address as URLs write it: `http://[::1]:8788`.
  package var text: String { "http://\(hostInURLs):\(port)" }

  /// Whether only this machine reaches it.
  public var isLoopback: Bool {
    host.hasPrefix("127.") || host == "::1" || host.hasPrefix("::ffff:127.")
  }

  /// Whether it means all addresses of the machine, so that others cannot use it.
  package var isWildcard: Bool { host == "0.0.0.0" || host == "::" }
}

// MARK: - What others can ask

extension ListeningAddress {
  /// The addresses at which other machines may find the server, those of four bytes first; empty if the machine is not
  /// in a network.
  package var reachable: [ListeningAddress] {
    guard isWildcard else { return [self] }
    let known = Self.hostsOfThisMachine.filter { host == "::" || !$0.contains(":") }
    return known.map { ListeningAddress(host: $0, port: port) }
  }

  private static var hostsOfThisMachine: [String] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var hosts: [String] = []
    var next = first
    while let interface = next?.pointee {
      next = interface.ifa_next
      guard let address = interface.ifa_addr, let host = host(of: address) else { continue }
      if !hosts.contains(host) { hosts.append(host) }
    }
    return hosts.filter { !$0.contains(":") } + hosts.filter { $0.contains(":") }
  }

  /// Returns the number of an address, or `nil` if only this machine or one of its cables has the address.
  private static func host(of address: UnsafePointer<sockaddr>) -> String? {
    let length: Int
    switch Int32(address.pointee.sa_family) {
    case AF_INET: length = MemoryLayout<sockaddr_in>.size
    case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
    case _: return nil
    }
    let host = ListeningAddress(of: address, socklen_t(length)).host
    let isLocal = host.hasPrefix("127.") || host.hasPrefix("169.254.") || host == "::1"
    return isLocal || host.isEmpty || host.lowercased().hasPrefix("fe80:") ? nil : host
  }

  /// Reads an address of a socket.
  init(of address: UnsafePointer<sockaddr>, _ length: socklen_t) {
    var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    var service = [CChar](repeating: 0, count: Int(NI_MAXSERV))
    _ = getnameinfo(
      address,
      length,
      &name,
      socklen_t(name.count),
      &service,
      socklen_t(service.count),
      NI_NUMERICHOST | NI_NUMERICSERV
    )
    self.init(host: Self.text(name), port: Int(Self.text(service)) ?? 0)
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
