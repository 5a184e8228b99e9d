import Foundation

extension RichText.Attached {
  /// The file of an address that only Slipbox understands: `picture:1100…`, `file:1100…`.
  init?(address: String) {
    if address.hasPrefix(Self.picture) {
      guard let id = UUID(uuidString: String(address.dropFirst(Self.picture.count))) else {
        return nil
      }
      self = .picture(id)
    } else if address.hasPrefix(Self.file) {
      guard let id = UUID(uuidString: String(address.dropFirst(Self.file.count))) else {
        return nil
      }
      self = .file(id, name: "")
    } else {
      return nil
    }
  }

  /// The address of a picture that lies nowhere else.
  static func address(ofPicture id: UUID) -> String { picture + id.uuidString.lowercased() }

  static func address(ofFile id: UUID) -> String { file + id.uuidString.lowercased() }

  private static let picture = "picture:"
  private static let file = "attachment:"
}
