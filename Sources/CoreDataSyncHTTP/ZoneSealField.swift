package import CoreDataSyncServer

/// The device's copy of a zone's seal, as the field `Zone-Seal` has it: in hexadecimal digits.
package struct ZoneSealField {
  package private(set) var bytes: [UInt8] = []

  package init(_ digits: String) throws(ServiceRefusal) {
    var rest = digits[...]
    while rest.count >= 2, bytes.count <= 256, let byte = UInt8(rest.prefix(2), radix: 16) {
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    guard rest.isEmpty else { throw ServiceRefusal(400, "Zone-Seal has hexadecimal digits.") }
  }
}
