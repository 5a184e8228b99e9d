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
  /// The device has no key, or one of another seal.
  static func otherSeal(_ zone: String) -> ServiceRefusal {
    ServiceRefusal(
      412,
      """
      The zone \(zone) is encrypted, and this device does not have its key. Paste the pairing code that another \
      device shows.
      """
    )
  }

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
