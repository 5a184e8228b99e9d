import CoreDataModel
import CoreDataModelCompiler
import CoreDataModelWriting
import Foundation

/// A `.xcdatamodeld` folder whose current version is changed.
struct EditedModel {
  let url: URL
  private let folder: ModelSourceFolder
  private let file: URL
  private let old: Data
  let versionName: String
  private(set) var schema: ModelSchema

  init(at path: String) throws {
    url = URL(filePath: path)
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw Refusal("\(path): there is no such model; coredata model new makes one")
    }
    guard ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) else {
      throw Refusal(
        "\(path) is not Xcode's source of a model, which is a .xcdatamodeld folder; coredata model "
          + "extract makes one from a compiled model or a store"
      )
    }
    folder = try ModelSourceFolder(at: url)
    versionName = try folder.currentVersion().name
    guard !folder.isArchive(version: versionName) else {
      throw Refusal(
        "\(path) is in the format of Xcode 3, which is only read here; coredata model extract \(path) writes it "
          + "in today's format"
      )
    }
    let version = try folder.version(named: versionName).version
    (schema, file) = (version.schema, version.url)
    old = try refusing { try Data(contentsOf: version.url) }
  }

  /// The entity of a name; refuses with those there are.
  func entity(_ name: String) throws -> EntitySchema {
    guard let entity = schema.entity(named: name) else {
      let question = Spelling.question(name, among: schema.entities.map(\.name))
      throw Refusal("\(url.lastPathComponent) has no entity '\(name)'\(question)")
    }
    return entity
  }

  /// Changes an entity.
  mutating func change(_ name: String, _ body: (inout EntitySchema) throws -> Void) rethrows {
    guard let index = schema.entities.firstIndex(where: { $0.name == name }) else { return }
    try body(&schema.entities[index])
  }

  mutating func add(_ entity: EntitySchema) {
    schema.entities.append(entity)
  }

  /// Writes the version, if it is right; nothing is written otherwise.
  func write() throws {
    let problems = schema.canonical.problems.filter { $0.severity == .error }
    guard problems.isEmpty else {
      throw Refusal(problems.map { "\(url.lastPathComponent): \($0)" }.joined(separator: "\n"))
    }
    guard let data = SchemaEditor(old, toSay: schema).data else {
      throw Refusal(
        "\(file.relativePath) has something that would be lost if it were written here; make the change "
          + "in the file, with any editor"
      )
    }
    try refusing { try data.write(to: file, options: .atomic) }
  }
}

/// `Note.title`: a property's place in a model.
struct PropertyPlace {
  let entity: String
  let property: String

  init(_ text: String) throws {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw Refusal(
        "'\(text)' is not a property's place; write it as Entity.property, such as Note.title"
      )
    }
    (entity, property) = (parts[0], parts[1])
    try ModelName.check(property, "a property", startsWithCapital: false)
    guard !SwiftName(property).isTakenByManagedObject else {
      throw Refusal("'\(property)' is the name of a member of every managed object; choose another")
    }
  }
}

/// Names as Core Data takes them.
enum ModelName {
  static func check(_ name: String, _ what: String, startsWithCapital: Bool) throws {
    let isWord = name.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_"
    }
    guard let first = name.first, first.isLetter, isWord, name.count <= 128 else {
      throw Refusal("'\(name)' is no name for \(what); use letters, digits and '_', a letter first")
    }
    guard first.isUppercase == startsWithCapital || first.isLowercase != startsWithCapital else {
      let letter = startsWithCapital ? "a capital letter" : "a small letter"
      throw Refusal("'\(name)' is no name for \(what); it begins with \(letter)")
    }
  }
}
