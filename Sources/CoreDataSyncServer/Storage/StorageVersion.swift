/// Which tables a server's storage has, as a number that grows with each change of them.
package enum StorageVersion {
  /// The version that this program makes, and brings older storages to.
  package static let current: Int64 = 1

  /// Whether a storage of a version is used as it is; otherwise it has to be migrated to the current one.
  ///
  /// - Throws: A refusal if the storage is newer: data that this program does not know would be lost.
  package static func isCurrent(_ version: Int64) throws(ServiceRefusal) -> Bool {
    guard version <= current else {
      throw ServiceRefusal(
        500,
        """
        A newer coredata serve has made what the server keeps (version \(version); this one knows \(current)). Update \
        coredata on this machine, or give the server a backup of before that. Nothing was changed.
        """
      )
    }
    return version == current
  }
}
