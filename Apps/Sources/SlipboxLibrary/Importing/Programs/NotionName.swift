import Foundation

/// The name of a file of Notion's exports, which ends in an identifier of 32 digits.
///
/// ```
/// Export-950ad927-7171-4abf-9001-821e5310d286/Trips 1590080aa5a3802488c2e857dea7aa7d/Rome f05b8540a06441b88c8a6b6026f2230b.md
///                                             Trips                                  Rome
/// ```
struct NotionName: Sendable {
  /// The path without ending; a table's is that of the folder with its pages.
  let base: String
  let title: String

  /// Whether it is the table with all rows and columns; the other of its name has those that are shown.
  let isWholeTable: Bool

  private static let whole = "_all"

  /// Nil for a file whose name does not end in an identifier.
  init?(_ path: String) {
    let name = ImportPath.name(of: path)
    var stem = ImportPath.stem(of: name)
    isWholeTable = stem.hasSuffix(Self.whole)
    if isWholeTable { stem = String(stem.dropLast(Self.whole.count)) }
    guard let title = Self.withoutIdentifier(stem) else { return nil }
    self.title = title
    let folder = ImportPath.folder(of: path)
    base = folder.isEmpty ? stem : "\(folder)/\(stem)"
  }

  /// The name before an identifier; `nil` for other names.
  private static func withoutIdentifier(_ name: some StringProtocol) -> String? {
    let parts = name.utf8.suffix(33)
    guard parts.count == 33, parts.first == UInt8(ascii: " "),
      parts.dropFirst().allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    return String(name.dropLast(33)).trimmingCharacters(in: .whitespaces)
  }

  /// The folders of a path with the names that they have in Notion, and without those around the whole export.
  static func folder(_ path: String) -> String {
    path.split(separator: "/")
      .filter { !isAround(String($0)) }
      .map { withoutIdentifier($0) ?? String($0) }
      .filter { !$0.isEmpty }
      .joined(separator: "/")
  }

  /// Whether a folder has the name of a whole export: `Export-950ad927-7171-4abf-9001-821e5310d286-Part-1`.
  private static func isAround(_ name: String) -> Bool {
    let parts = name.split(separator: "_")
    return parts.contains { $0.hasPrefix("Export") }
      && parts.contains { part in
        let id = part.hasPrefix("Export") ? part.drop { $0 != "-" }.dropFirst() : part
        return UUID(uuidString: String(id.prefix(36))) != nil
      }
  }
}
