import Foundation

extension UUID {
  /// The identifier of objects without one.
  static let none = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

  /// As addresses and programs write it: in lower case.
  var text: String { uuidString.lowercased() }
}
