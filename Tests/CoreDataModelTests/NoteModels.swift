import CoreDataModel
import Foundation

/// Notes that live in folders and carry tags, as schemas and as Xcode's XML.
extension ModelSchema {
  static var notes: ModelSchema {
    var item = EntitySchema(name: "Item")
    item.isAbstract = true
    item.attributes = [AttributeSchema(name: "created", type: .date)]

    var note = EntitySchema(name: "Note", className: "Note")
    note.superentityName = "Item"
    note.attributes = [
      AttributeSchema(name: "stars", type: .integer16),
      AttributeSchema(name: "title", type: .string),
    ]
    note.relationships = [
      RelationshipSchema(name: "folder", destinationName: "Folder", inverseName: "notes")
    ]

    var folder = EntitySchema(name: "Folder", className: "Folder")
    folder.attributes = [AttributeSchema(name: "name", type: .string)]
    var notes = RelationshipSchema(name: "notes", destinationName: "Note", inverseName: "folder")
    notes.maxCount = 0
    folder.relationships = [notes]
    return ModelSchema(entities: [folder, item, note])
  }

  /// The schema with one entity changed.
  func changing(_ name: String, _ change: (inout EntitySchema) -> Void) -> ModelSchema {
    var schema = self
    for index in schema.entities.indices where schema.entities[index].name == name {
      change(&schema.entities[index])
    }
    return schema
  }
}

/// A model folder that lives as long as a test.
final class ScratchModel {
  let url: URL
  private let folder: URL

  /// Writes versions, by name without extension, and the name of the current one.
  init(_ versions: [String: String], current: String? = nil) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    url = folder.appending(path: "Notes.xcdatamodeld")
    for (name, xml) in versions {
      let version = url.appending(path: "\(name).xcdatamodel")
      try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
      try Data(xml.utf8).write(to: version.appending(path: "contents"))
    }
    if let current {
      let plist = ["_XCCurrentVersionName": current]
      try PropertyListSerialization.data(fromPropertyList: plist, format: .xml, options: 0)
        .write(to: url.appending(path: ".xccurrentversion"))
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }  // A leftover folder harms nobody.
}

/// Reads one version of XML, given the text between `<model>` and `</model>`.
func read(model contents: String) throws(ModelError) -> ModelSchema {
  var reader = SchemaReader(file: "Notes.xcdatamodel/contents")
  let schema = reader.schema(from: Data("<model>\n\(contents)\n</model>".utf8))
  let errors = reader.problems.filter { $0.severity == .error }
  if errors.isEmpty { return schema }
  throw ModelError(problems: errors)
}
