import CoreDataSyncCore

/// Why a request is not answered as it was meant, with the status that says so in HTTP.
package struct ServiceRefusal: Error, Hashable, CustomStringConvertible {
  package let status: Int
  package let sentence: String

  package init(_ status: Int, _ sentence: String) {
    self.status = status
    self.sentence = sentence
  }

  package var description: String { sentence }
}

extension ServiceRefusal {
  /// The device lacks a key, or has one of another seal.
  static func otherSeal(_ zone: String) -> ServiceRefusal {
    ServiceRefusal(
      412,
      """
      The zone \(zone) is encrypted, and this device does not have its key. Paste the pairing code that another \
      device shows.
      """
    )
  }

  /// The device knows a seal, and the zone is not sealed.
  static func noSeal(_ zone: String) -> ServiceRefusal {
    ServiceRefusal(
      412,
      """
      The zone \(zone) is not encrypted at this server, and this device knows it as encrypted; the server may have been \
      put back to a backup of before that. Nothing was taken. The next time, the device makes the zone an encrypted one \
      again, unless something was written to it meanwhile.
      """
    )
  }

  /// A message that cannot be read, or that is of another protocol.
  ///
  /// A newer device's request may be understood in a moment, once this server is newer too; so it may be tried again.
  static func unreadable(_ error: WireError) -> ServiceRefusal {
    if error.isDamage { return damagedMessage }
    return switch error.sender {
    case .newer:
      ServiceRefusal(
        501,
        """
        This device is newer than the server, which speaks protocol \(SyncRequest.version) only. Let the server's owner \
        update coredata and start coredata serve again; changes wait until then.
        """
      )
    case .older:
      ServiceRefusal(
        400,
        """
        This device is older than the server, which speaks protocol \(SyncRequest.version) only. Update the program on \
        this device; its changes wait until then.
        """
      )
    case .contemporary:
      ServiceRefusal(
        400,
        """
        The server cannot read a message of this device: \(error). Nothing of it was taken. Update the program on this \
        device; where it is up to date, update the server.
        """
      )
    }
  }

  /// A message that does not have its checksum; the device sends it again.
  private static let damagedMessage = ServiceRefusal(
    422,
    """
    A message of this device does not have its checksum: something has changed it on its way. Nothing of it was taken, \
    and it is sent again. If this comes back, look at what is between the device and the server, and at the memory of both.
    """
  )

  static func openZone(_ zone: String, _ command: ServingCommand) -> ServiceRefusal {
    ServiceRefusal(
      409,
      """
      The zone \(zone) has values that are not encrypted, so it cannot become encrypted. Make an address of another \
      zone: \(command.rawValue) --new-token admin --zone NAME
      """
    )
  }
}
