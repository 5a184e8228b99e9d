import CoreData
public import Foundation
import RichText

/// The values that one save on this or another device lost against a save that did not know of it.
public struct SyncConflict: Encodable, Sendable, Equatable {
  /// The identifier of the conflict on this device.
  public let id: Int64
  /// `note`, `folder`, `keyword` or `search`.
  public let kind: String
  /// The identifier of its object; null if that was deleted.
  @OrNull public var about: String?
  /// The title or name that it has now, or had.
  public let name: String
  /// When it was saved, by the server's clock as far as its device knew that.
  public let date: Date
  /// The name of the device that saved it; null if the device has not sent its name.
  @OrNull public var device: String?
  public let fields: [Field]

  /// One of the things that the save wanted to change.
  public struct Field: Encodable, Sendable, Equatable {
    /// The name for people: `Title`.
    public let name: String
    /// The lost value.
    public let lost: String
    /// The present value; null if it was deleted.
    @OrNull public var now: String?
  }
}

/// The values that one save has lost.
struct LostSave {
  typealias Lost = NSPersistentCloudKitContainer.SyncConflict

  let values: [Lost]

  /// Groups the values that were saved together, the latest first.
  ///
  /// A value that follows from others, such as the day of a date, is of no interest: if there is nothing else, there is
  /// no conflict.
  static func all(_ conflicts: [Lost]) -> [LostSave] {
    struct Save: Hashable {
      let object: NSManagedObjectID?
      let entity: String?
      let date: Date
    }
    let groups = Dictionary(grouping: conflicts) {
      Save(object: $0.objectID, entity: $0.entityName, date: $0.date)
    }
    return groups.values.map { LostSave(values: $0.sorted { $0.id < $1.id }) }
      .filter { !$0.shown.isEmpty }
      .sorted { ($1.date, $1.id) < ($0.date, $0.id) }
  }

  var id: Int64 { values.map(\.id).min() ?? 0 }
  var date: Date { values.first?.date ?? .distantPast }
  var entity: String { values.first?.entityName ?? "" }
  var objectID: NSManagedObjectID? { values.first?.objectID }

  /// The object of the conflict, in the context's queue; `nil` if it is gone, or was deleted for good and goes within
  /// an hour.
  func object(in context: NSManagedObjectContext) -> NSManagedObject? {
    let object = objectOrErased(in: context)
    return switch object {
    case let note as Note where note.erasedDate_ != nil: nil
    case let property as Property where property.note?.erasedDate_ != nil: nil
    case let folder as Folder where folder.erasedDate_ != nil: nil
    default: object
    }
  }

  private func objectOrErased(in context: NSManagedObjectContext) -> NSManagedObject? {
    // An object that cannot be read any more is gone.
    objectID.flatMap { try? context.existingObject(with: $0) }
  }

  /// The name of an object that is gone: the name that it has lost, else its last one as long as its row is there, else
  /// the beginning of its text.
  ///
  /// Called in the context's queue.
  func nameOfGone(in context: NSManagedObjectContext) -> String {
    let lost = value(of: NoteProperties.title) ?? value(of: FolderProperties.name)
    let erased = objectOrErased(in: context).map(Self.name)
    let names = [lost?.losingText, erased].compactMap { $0 }.filter { !$0.isEmpty }
    return names.first ?? beginningOfText
  }

  /// The first line of the text that was lost, or as much of it as a title shows.
  private var beginningOfText: String {
    let text = value(of: NoteProperties.document).map { Self.words(ofDocument: $0.losingText) }
    let line = text?.split(whereSeparator: \.isNewline).first ?? ""
    return String(line.prefix(80))
  }

  func value(of property: String) -> Lost? { values.first { $0.propertyName == property } }

  /// The values that people know of, in the order in which they are told.
  private var shown: [(name: String, value: Lost)] {
    (Self.names[entity] ?? []).compactMap { property, name in
      value(of: property).map { (name, $0) }
    }
  }

  private static let names: [String: [(property: String, name: String)]] = [
    "Note": [
      (NoteProperties.title, "Title"), (NoteProperties.document, "Text"),
      (NoteProperties.folder, "Folder"), (NoteProperties.status, "Status"),
    ] + NoteMark.allCases.map { ($0.attribute, $0.name) } + [(NoteProperties.trashedDate, "Trash")],
    "Folder": [
      (FolderProperties.name, "Name"), (FolderProperties.parent, "Parent folder"),
      (FolderProperties.trashedDate, "Trash"),
    ],
    "Keyword": [(KeywordProperties.name, "Name"), ("colorHex_", "Colour")],
    "SavedSearch": [("name_", "Name"), ("text_", "Search")],
    "Property": [("name_", "Name of a property"), (Self.propertyValue, "Property")],
  ]

  private static let kinds = [
    "Note": "note", "Folder": "folder", "Keyword": "keyword", "SavedSearch": "search",
    "Property": "note",
  ]

  static let propertyValue = "value_"
}

// MARK: - In words

extension LostSave {
  /// The conflict with both sides, as they are told; in the context's queue.
  func told(in context: NSManagedObjectContext) -> SyncConflict {
    let object = object(in: context)
    return SyncConflict(
      id: id,
      kind: Self.kinds[entity] ?? "",
      about: object.flatMap(Self.identifier)?.text,
      name: object.map(Self.name) ?? nameOfGone(in: context),
      date: date,
      device: values.first?.deviceName,
      fields: shown.map { name, value in
        SyncConflict.Field(
          name: Self.name(of: value, in: object) ?? name,
          lost: Self.words(ofLost: value, in: context),
          now: object.map { Self.words(of: value.propertyName ?? "", in: $0) }
        )
      }
    )
  }

  /// The identifier of what a page shows: of the note with a property.
  static func identifier(_ object: NSManagedObject) -> UUID? {
    if let property = object as? Property { return property.note?.uuid ?? property.noteID_ }
    return object.value(forKey: NoteProperties.uuid) as? UUID
  }

  /// The name of a property whose value was lost.
  private static func name(of lost: Lost, in object: NSManagedObject?) -> String? {
    guard lost.propertyName == propertyValue, let property = object as? Property else { return nil }
    return "Property “\(property.name)”"
  }

  private static func name(of object: NSManagedObject) -> String {
    switch object {
    case let note as Note: note.title
    case let property as Property: property.note?.title ?? ""
    case let folder as Folder: folder.name
    case let keyword as Keyword: keyword.name
    case let search as SavedSearch: search.name
    default: ""
    }
  }

  private static func words(ofLost lost: Lost, in context: NSManagedObjectContext) -> String {
    switch lost.propertyName {
    case NoteProperties.document: words(ofDocument: lost.losingText)
    case NoteProperties.folder, FolderProperties.parent:
      // A folder that is gone is nameless.
      lost.losingObjectID.flatMap { try? context.existingObject(with: $0) }.map(name) ?? "None"
    case NoteProperties.trashedDate: lost.losingText.isEmpty ? "Not in the trash" : "In the trash"
    case propertyValue: PropertyValue(stored: lost.losingText).plainText
    default: lost.losingText
    }
  }

  private static func words(of property: String, in object: NSManagedObject) -> String {
    switch object.value(forKey: property) {
    case let end as NSManagedObject: name(of: end)
    case let flag as Bool: flag ? "yes" : "no"
    case let text as String where property == propertyValue: PropertyValue(stored: text).plainText
    case let text as String:
      property == NoteProperties.document ? words(ofDocument: text) : text
    case is Date: "In the trash"
    case nil where property == NoteProperties.trashedDate: "Not in the trash"
    case nil where property == NoteProperties.folder || property == FolderProperties.parent: "None"
    default: ""
    }
  }

  private static func words(ofDocument json: String) -> String {
    // A text that cannot be read is empty.
    (try? RichText(json: json))?.plainText ?? ""
  }
}
