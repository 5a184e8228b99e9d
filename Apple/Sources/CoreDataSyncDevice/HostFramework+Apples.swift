extension HostFramework {
  /// Apple's Core Data.
  static let current = documented
}
