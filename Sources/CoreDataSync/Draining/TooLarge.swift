import CoreDataSyncCore

/// A value that is larger than one that other devices can have.
struct TooLarge {
  let id: SyncID
  let attribute: SyncAttribute
  let bytes: Int

  var sentence: String {
    """
    The value has \(bytes >> 20) MB; other devices get at most \(WireLimits.value >> 20) MB of one. It stays on \
    this device.
    """
  }
}
