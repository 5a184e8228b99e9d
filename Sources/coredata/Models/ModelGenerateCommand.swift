import CoreDataModel
import CoreDataModelCompiler
import Foundation

/// `coredata model generate`: the classes of a model's entities.
struct ModelGenerateCommand: Command {
  static let words = ["model", "generate"]
  static let summary = "write the Swift classes of a model's entities"
  static let help = """
    coredata model generate MODEL -o FOLDER --module NAME [--version NAME] [--all] [--single-file]
                            [--force] [--json]
    coredata model generate MODEL -o FOLDER --swiftdata [--version NAME] [--single-file] [--force]
                            [--json]

    Writes the Swift files that the plugin CoreDataModels generates at each build, so that you can keep
    and edit them. If they exist already, files with properties are replaced and files with classes are
    kept.

      MODEL            a .xcdatamodeld, .xcdatamodel, .momd or .mom, or a store that contains its model
      -o FOLDER, --output FOLDER
                       the folder to write to
      --module NAME    the module that the files will be compiled in; for a compiled model or a store,
                       the module of its classes
      --version NAME   a version of the model; without it, the current one
      --all            write a class for every entity, whatever its code generation setting; an entity
                       without a class name gets a class with the entity's name
      --single-file    write everything to one file
      --force          replace existing files, including those with classes
      --json           print an object with "files", "kept", "missingClasses" and "otherModules"

    Compiled models and stores do not say for which entities code is generated, nor which numbers are
    Swift's: every entity with a class name gets a class, and numbers are optional NSNumbers. Not
    written, but listed: classes of other modules, and classes of transformable attributes.

    With --swiftdata:

      --swiftdata      write a @Model class of SwiftData for every entity, from any model or store, also
                       from a phone's store; the object of --json has "files", "kept", "notExpressed"
                       and "otherHashes"

    A container with these classes opens the store: the version hashes are the same. If that is not
    possible for an entity, it is listed, and the container migrates the store.

    In the model of a SwiftData store, default values that are UUIDs and dates are those of the moment
    at which the app made its schema; they are written as UUID() and Date(). An enumeration with raw
    values is written as a struct with the raw value, because a model does not list the cases; put the
    enumeration in its place. In a struct, arrays and dictionaries are written as Data, the JSON that
    is stored.

    Parts that SwiftData cannot express are listed, and are comments in the files: ordered
    relationships, derived attributes, fetched properties, configurations, abstract entities,
    validation rules, partial indexes and user info.

    \(CoreDataCommand.exitStatuses)
    """

  private let model: URL
  private let output: URL
  /// The module of the classes; empty for those of SwiftData, which belong to any.
  private let module: String
  private let isForSwiftData: Bool
  private let version: String?
  private let writesAll: Bool
  private let isSingleFile: Bool
  private let isForced: Bool
  private let printsJSON: Bool

  init(_ arguments: inout CommandArguments) throws {
    writesAll = arguments.flag("--all")
    isForSwiftData = arguments.flag("--swiftdata")
    printsJSON = arguments.flag("--json")
    isSingleFile = arguments.flag("--single-file")
    isForced = arguments.flag("--force")
    guard let output = try arguments.output() else {
      throw arguments.mistake("-o is missing, the folder to write into")
    }
    self.output = URL(filePath: output, directoryHint: .isDirectory)
    module = isForSwiftData ? "" : try arguments.module()
    version = try arguments.value(ifGiven: "--version")
    model = URL(filePath: try arguments.operand("the path of a model"))
    if isForSwiftData, writesAll {
      throw arguments.mistake("--all does not go with --swiftdata, which writes every class")
    }
    try arguments.finish()
  }

  func run() throws {
    let file = try ModelFile(contentsOf: model)
    let schema = try file.version(version).schema
    guard !isForSwiftData else {
      try SwiftDataGeneration(
        of: schema,
        in: file,
        to: output,
        isSingleFile: isSingleFile,
        isForced: isForced
      ).run(printsJSON: printsJSON)
      return
    }
    let asking = asking(schema, file)
    let foreign = ClassGenerator(asking, module: module).foreignClasses
    let files = try self.files(of: asking, without: foreign, in: file)
    guard !files.isEmpty else { throw Refusal("\(model.lastPathComponent): \(lack(schema, file))") }
    let kept = files.filter(isKept)
    let written = files.filter { !kept.contains($0) }
    try refusing {
      try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
      for file in written {
        let text = file.text(from: model.lastPathComponent, isKept: true)
        try Data(text.utf8).write(to: place(of: file), options: .atomic)
      }
    }
    for file in kept {
      CoreDataCommand.complain(
        "\(place(of: file).path) already exists and was kept; --force replaces it"
      )
    }
    for foreign in foreign { CoreDataCommand.complain(sentence(foreign)) }
    let paths = written.map { place(of: $0).path }
    let missing = MissingClass.all(in: asking, without: foreign)
    for missing in missing { CoreDataCommand.complain(missing.sentence) }
    let json = [
      "files": paths, "kept": kept.map { place(of: $0).path },
      "missingClasses": missing.map(\.name), "otherModules": foreign.map(\.name),
    ]
    if printsJSON {
      print(try JSONText.of(json))
    } else {
      for path in paths { print(path) }
    }
  }

  private func place(of file: SwiftFile) -> URL { output.appending(component: file.name) }

  /// A file with somebody's own code is not written over.
  private func isKept(_ file: SwiftFile) -> Bool {
    guard !isForced, file.holdsOwnCode,
      let present = FileManager.default.contents(atPath: place(of: file).path)
    else { return false }
    return present != Data(file.text(from: model.lastPathComponent, isKept: true).utf8)
  }

  /// Why there is nothing to write.
  private func lack(_ schema: ModelSchema, _ file: ModelFile) -> String {
    if schema.entities.isEmpty { return "the model has no entities" }
    let remedy = "--all writes a class for each entity"
    return file.form == .source
      ? "no entity has code generation turned on; \(remedy)"
      : "the model names no classes: every entity is a plain NSManagedObject; \(remedy)"
  }

  /// The model with the code generation of each entity.
  private func asking(_ schema: ModelSchema, _ file: ModelFile) -> ModelSchema {
    var schema = schema
    for index in schema.entities.indices {
      if writesAll { schema.entities[index].nameClass() }
      if writesAll || file.form != .source, schema.entities[index].codeGeneration == .manual {
        schema.entities[index].codeGeneration = .classDefinition
      }
    }
    return schema
  }

  /// A class of another module is left out, unless nothing else would be written.
  private func files(
    of asking: ModelSchema,
    without foreign: [ForeignClass],
    in file: ModelFile
  ) throws -> [SwiftFile] {
    var own = asking
    for index in own.entities.indices
    where foreign.contains(where: { $0.entity == own.entities[index].name }) {
      own.entities[index].codeGeneration = .manual
    }
    do throws(GenerationError) {
      var files = try ClassGenerator(own, module: module).files()
      // Then it says which module they are in.
      if files.isEmpty, !foreign.isEmpty {
        files = try ClassGenerator(asking, module: module).files()
      }
      guard isSingleFile, !files.isEmpty else { return files }
      return [SwiftFile(joining: files, named: "\(file.name)+CoreDataModel.swift")]
    } catch {
      throw Refusal("\(model.lastPathComponent): \(sentence(error, file))")
    }
  }

  private func sentence(_ foreign: ForeignClass) -> String {
    "\(foreign.name), the class of \(foreign.entity), belongs to the module \(foreign.module) and was "
      + "not written; --module \(foreign.module) writes it"
  }

  /// Here it is the command line that is changed, and not the model.
  private func sentence(_ error: GenerationError, _ file: ModelFile) -> String {
    guard case .classOfOtherModule(let name, let entity, let module) = error,
      let own = name.split(separator: ".").first
    else { return error.description }
    return
      "entity '\(entity)': its class '\(name)' is in module '\(own)', and would not be found in "
      + "'\(module)'; give --module \(own)"
  }
}

extension EntitySchema {
  fileprivate var hasClass: Bool { !["", "NSManagedObject"].contains(className) }

  fileprivate mutating func nameClass() {
    if !hasClass { className = name }
  }
}

/// A class that generated code speaks of and that is nowhere in it: of a transformable attribute.
private struct MissingClass {
  let name: String
  let attributes: [String]

  /// Those of entities that have code generated for them.
  static func all(in schema: ModelSchema, without foreign: [ForeignClass]) -> [MissingClass] {
    var users: [String: [String]] = [:]
    let others = Set(foreign.map(\.entity))
    for entity in schema.entities
    where entity.codeGeneration != .manual && entity.hasClass && !others.contains(entity.name) {
      for attribute in entity.attributes where attribute.type == .transformable {
        let name = (attribute.customClassName ?? "").drop { $0 == "." }
        let isKnown = name.isEmpty || name.hasPrefix("NS") || name.contains { "[<".contains($0) }
        let isValue = ["Data", "Date", "String", "UUID", "URL", "Decimal"].contains(name)
        if !isKnown, !isValue {
          users[String(name), default: []].append("\(entity.name).\(attribute.name)")
        }
      }
    }
    return users.sorted { $0.key < $1.key }.map { MissingClass(name: $0.key, attributes: $0.value) }
  }

  var sentence: String {
    "\(name), the class of \(attributes.sorted().joined(separator: " and ")), is not among the files: "
      + "write it, or give the attribute another type in the code"
  }
}
