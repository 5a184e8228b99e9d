/// Refuses what a strange page could make a browser send here.
///
/// A name that a stranger points at this machine is seen by its `Host`; a form, script or picture of
/// another page by its `Origin` and `Sec-Fetch-Site`.
struct Guards: Sendable {
  /// Names without a port, in small letters.
  let hosts: Set<String>
  /// Whether addresses in numbers are good, which nobody can point elsewhere.
  let takesNumericHosts: Bool

  static let loopback: Set<String> = ["localhost", "127.0.0.1", "[::1]"]

  init(_ configuration: ServerConfiguration) {
    hosts = Self.loopback.union(configuration.allowedHosts.map { Self.name(ofHost: $0) })
    takesNumericHosts = !["127.0.0.1", "::1", "localhost"].contains(configuration.host)
  }

  func check(_ method: Method, _ headers: Headers) throws(Problem) {
    let host = headers.all("Host")
    if host.isEmpty { throw Problem(400, "The request does not say for which Host it is.") }
    guard host.count == 1, knows(Self.name(ofHost: host[0])) else {
      throw Problem(
        421,
        "This server does not answer to the name “\(host.first ?? "")”; start it with that name allowed."
      )
    }
    try checkSite(method, headers)
    if method.writes { try checkOrigin(headers, host: host[0]) }
  }

  private func knows(_ name: String) -> Bool {
    hosts.contains(name) || takesNumericHosts && name.isNumericHost
  }

  /// Refuses what a page of another site asks for, whatever it is; people may follow its links.
  private func checkSite(_ method: Method, _ headers: Headers) throws(Problem) {
    guard let site = headers["Sec-Fetch-Site"], site != "same-origin", site != "none" else {
      return
    }
    if method.writes { throw Problem(403, "Another site may not change anything here.") }
    let isVisit =
      headers["Sec-Fetch-Mode"] == "navigate" && headers["Sec-Fetch-Dest"] == "document"
    guard isVisit else { throw Problem(403, "Another site may not read anything here.") }
  }

  private func checkOrigin(_ headers: Headers, host: String) throws(Problem) {
    if let origin = headers["Origin"], !origin.isOrigin(of: host) {
      throw Problem(403, "A page from \(origin) may not change anything here.")
    }
  }

  /// `LocalHost:8080` is `localhost`; `[::1]:8080` is `[::1]`; a text without a number after the
  /// colon is a name as a whole.
  static func name(ofHost host: String) -> String {
    let host = host.lowercased()
    let end =
      host.hasPrefix("[")
      ? host.firstIndex(of: "]").map(host.index(after:)) : host.firstIndex(of: ":")
    guard let end else { return host }
    let isPort = host[end...].isEmpty || UInt16(host[end...].dropFirst()) != nil
    return isPort && host[end...].first ?? ":" == ":" ? String(host[..<end]) : host
  }
}

extension String {
  fileprivate var isNumericHost: Bool {
    if hasPrefix("["), hasSuffix("]") { return true }
    let pieces = split(separator: ".", omittingEmptySubsequences: false)
    return pieces.count == 4 && pieces.allSatisfy { UInt8($0) != nil }
  }

  fileprivate func isOrigin(of host: String) -> Bool {
    let parts = lowercased().split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 3 && (parts[0] == "http:" || parts[0] == "https:") && parts[1].isEmpty
      && parts[2] == host.lowercased()
  }
}
