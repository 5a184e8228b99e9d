extension Headers {
  /// Returns the values of a cookie: for `a=1; b=2`, the value of `a` is `1`.
  ///
  /// A browser sends several values if it has the cookie for several paths.
  public func cookies(named name: String) -> [String] {
    all("Cookie").flatMap { $0.split(separator: ";") }.compactMap { pair in
      let pair = pair.drop { $0 == " " }
      guard pair.hasPrefix("\(name)=") else { return nil }
      return String(pair.dropFirst(name.count + 1))
    }
  }

  /// Whether a proxy says that the browser's connection is encrypted, so that a cookie can be for such connections alone.
  ///
  /// Without a proxy, a browser that claims so only harms itself.
  public var areOfEncryptedConnection: Bool {
    self["X-Forwarded-Proto"]?.lowercased() == "https"
  }
}
