import CoreData
import CoreDataModel
import CoreDataStoreCare
import Foundation

/// A value as a page gets it.
///
/// ```json
/// {"kind": "text", "text": "Shopping"}
/// {"kind": "object", "id": "Folder/p1", "name": "Home"}
/// {"kind": "data", "size": 20480, "type": "image/png"}
/// ```
struct CellText {
  /// A table shows the beginning of a text, and a card all of it, up to a bound.
  private static let (least, most) = (240, 200_000)

  let json: JSONValue

  init(_ cell: ShownCell, isWhole: Bool) {
    switch cell {
    case .nothing: json = .null
    case .text(let text): json = Self.text(text, isWhole)
    case .number(let digits): json = ["kind": "number", "text": .text(digits)]
    case .boolean(let flag): json = ["kind": "boolean", "text": flag ? "yes" : "no"]
    case .date(let date): json = ["kind": "date", "text": .text(date.iso8601)]
    case .data(let data):
      if let value = EncodedValue.json(of: data) {
        json = Self.tree(value, data.count, isWhole)
      } else {
        json = Self.data(data.count, PictureType(data)?.rawValue)
      }
    case .file(let file):
      guard let size = file.size else {
        json = ["kind": "missing", "text": .text(file.name)]
        return
      }
      // The beginning alone would need another way into the folder of external data.
      let type = size <= PictureType.greatest ? file.contents.flatMap(PictureType.init) : nil
      json = Self.data(size, type?.rawValue)
    case .archived(let value, let data):
      json = Self.tree(EncodedValue.expanding(value), data.count, isWhole)
    case .object(let key, let name):
      json = .object(
        [.init(name: "kind", value: "object"), .init(name: "id", value: .text(key.text))]
          + (name.map { [.init(name: "name", value: .text(String($0.prefix(Self.least))))] } ?? [])
      )
    case .members: json = .null
    }
  }

  private static func tree(_ value: JSONValue, _ size: Int, _ isWhole: Bool) -> JSONValue {
    let shown = isWhole ? value : .text(String(value.compact.prefix(least)))
    return ["kind": "archived", "size": .integer(size), isWhole ? "tree" : "text": shown]
  }

  private static func text(_ text: String, _ isWhole: Bool) -> JSONValue {
    let limit = isWhole ? most : least
    // Characters are counted only in long texts.
    guard text.utf8.count > limit, text.count > limit else {
      return ["kind": "text", "text": .text(text)]
    }
    return ["kind": "text", "text": .text(String(text.prefix(limit))), "isCut": true]
  }

  private static func data(_ size: Int, _ type: String?) -> JSONValue {
    .object(
      [.init(name: "kind", value: "data"), .init(name: "size", value: .integer(size))]
        + (type.map { [.init(name: "type", value: .text($0))] } ?? [])
    )
  }
}

/// A picture that browsers show, known by its first bytes.
enum PictureType: String {
  case png = "image/png"
  case jpeg = "image/jpeg"
  case gif = "image/gif"
  case webp = "image/webp"
  case avif = "image/avif"

  /// Larger pictures are offered as downloads only.
  static let greatest = 16 << 20

  init?(_ data: Data) {
    guard data.count <= Self.greatest else { return nil }
    let bytes = [UInt8](data.prefix(12))
    func has(_ text: String, at place: Int) -> Bool {
      bytes.dropFirst(place).starts(with: text.utf8)
    }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if has("GIF8", at: 0) {
      self = .gif
    } else if has("RIFF", at: 0), has("WEBP", at: 8) {
      self = .webp
    } else if has("ftypavif", at: 4) {
      self = .avif
    } else {
      return nil
    }
  }
}

extension ShownColumn {
  /// The column for a page: its key, and how its values are shown.
  var json: JSONValue {
    switch kind {
    case .attribute(let attribute):
      ["key": .text(title), "type": .text(attribute.type.word), "isNumeric": .boolean(isNumeric)]
    case .object: ["key": .text(title), "type": "object", "isNumeric": false]
    case .number: ["key": .text(title), "type": "count", "isNumeric": true]
    case .members: ["key": .text(title), "type": "members", "isNumeric": false]
    }
  }
}
