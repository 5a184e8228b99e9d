public import Foundation

/// The changes of a note; absent values stay as they are.
///
/// ```json
/// {"base": 7, "title": "Slip boxes", "folder": null, "addKeywords": [{"name": "method"}]}
/// ```
public struct NoteEdit: Decodable, Sendable {
  /// The revision that the edit of title or document began from.
  public var base: Int64?
  /// The identifier of this edit, which a later one of the same page may name as ``since``.
  public var mark: UUID?
  /// The edit that this one goes on from, if its page does not show yet what others have written beside that.
  public var since: UUID?
  /// How many minutes the writer's clock is ahead of UTC: times in titles are the writer's.
  public var utcOffset: Int?
  public var title: String?
  public var document: JSONValue?
  public var status: String?
  public var favourite: Bool?
  /// Whether the note is above all others of its list.
  public var pinned: Bool?
  /// Whether new notes can be made from it.
  public var template: Bool?
  public var order: Int64?
  public var folder: FolderChoice = .asBefore
  public var addKeywords: [KeywordChoice]?
  public var removeKeywords: [UUID]?
  public var addLinks: [UUID]?
  public var removeLinks: [UUID]?
  /// Other names of the note, all of them; nil leaves them as they are.
  public var aliases: [String]?
  /// Changes of properties, one after the other.
  public var properties: [PropertyEdit]?

  public init() {}

  /// The writer's time zone, as far as a clock tells; the server's own if it was not sent.
  var timeZone: TimeZone { TimeZone(utcOffset: utcOffset) }

  /// Whether the edit changes the note's content, which versions and conflicts are about.
  var changesText: Bool { title != nil || document != nil }
}

extension TimeZone {
  /// The time zone of a clock that is so many minutes ahead of UTC; the server's own if that is not known.
  init(utcOffset: Int?) {
    guard let utcOffset, Self.utcOffsets.contains(utcOffset),
      let zone = TimeZone(secondsFromGMT: utcOffset * 60)
    else {
      self = .current
      return
    }
    self = zone
  }

  /// In minutes; no place of the earth is further away from UTC.
  private static let utcOffsets = -24 * 60...24 * 60
}

/// A note to be made.
public struct NewNote: Decodable, Sendable {
  /// The identifier, where the note was made before it could be sent.
  public var id: UUID?
  public var title: String?
  public var document: JSONValue?
  public var folder: UUID?
  public var status: String?
  public var favourite: Bool?
  /// The note whose text, keywords and properties the new one begins with.
  public var template: UUID?
  public var properties: [PropertyEdit]?
  /// The note whose properties the new one has, too.
  public var propertiesOf: UUID?
  /// How many minutes the writer's clock is ahead of UTC: dates in a template are the writer's.
  public var utcOffset: Int?

  public init(title: String? = nil, folder: UUID? = nil) {
    self.title = title
    self.folder = folder
  }
}

/// A keyword by its identifier, or by a name, which is found or made.
public struct KeywordChoice: Decodable, Sendable {
  public var id: UUID?
  public var name: String?
  public var color: String?

  public init(id: UUID? = nil, name: String? = nil, color: String? = nil) {
    self.id = id
    self.name = name
    self.color = color
  }
}

/// The future folder: `"folder": null` does not mean the same as an absent field.
public enum FolderChoice: Decodable, Sendable, Equatable {
  case asBefore
  case nowhere
  case folder(UUID)

  /// `null`, or an identifier.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    self = value.decodeNil() ? .nowhere : .folder(try value.decode(UUID.self))
  }
}

extension KeyedDecodingContainer {
  /// The compiler calls this for a member of that type: an absent one is not an error.
  func decode(_: FolderChoice.Type, forKey key: Key) throws -> FolderChoice {
    guard contains(key) else { return .asBefore }
    return try FolderChoice(from: superDecoder(forKey: key))
  }
}

/// The changes of a folder.
public struct FolderEdit: Decodable, Sendable {
  public var name: String?
  public var parent: FolderChoice = .asBefore
  /// The place among the folders of the same parent, from 0.
  public var order: Int?
  public var sort: String?

  public init() {}
}
