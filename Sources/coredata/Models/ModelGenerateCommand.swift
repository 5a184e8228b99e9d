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

    Writes Swift files as the plugin CoreDataModels does at each build, to be kept and changed. Written
    once more, files with properties are replaced and files with classes stay as they are.

      MODEL            a .xcdatamodeld, .xcdatamodel, .momd or .mom, or a store with its model in it
      -o FOLDER        where to write
      --module NAME    the module that the files will belong to; of a compiled model or a store the
                       module that its classes are in
      --version NAME   a version of the model; without it, the current one
      --all            write a class for each entity, whatever its code generation; one that names no
                       class gets one of its own name
      --single-file    write all into one file
      --force          replace every file that is there
      --json           print an object with "files", "kept" and "missingClasses"

    Compiled models and stores do not know about code generation: of them, each entity that names a
    class gets it. Classes of transformable attributes are not written; they are named at the end.

    \(CoreDataCommand.exitStatuses)
    """

  private let model: URL
  private let output: URL
  private let module: String
  private let version: String?
  private let writesAll: Bool
  private let isSingleFile: Bool
  private let isForced: Bool
  private let printsJSON: Bool

  init(_ arguments: inout CommandArguments) throws {
    writesAll = arguments.flag("--all")
    printsJSON = arguments.flag("--json")
    isSingleFile = arguments.flag("--single-file")
    isForced = arguments.flag("--force")
    output = URL(
      filePath: try arguments.value(of: "-o", "the folder to write into"),
      directoryHint: .isDirectory
    )
    module = try arguments.value(of: "--module", "the module that the files will belong to")
    version = try arguments.value(ifGiven: "--version")
    model = URL(filePath: try arguments.operand("the path of a model"))
    try arguments.finish()
  }

  func run() throws {
    let file = try ModelFile(contentsOf: model)
    let schema = try file.version(version).schema
    let files = try self.files(of: schema, in: file)
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
      CoreDataCommand.complain("\(place(of: file).path) is there and stays; --force replaces it")
    }
    let paths = written.map { place(of: $0).path }
    let missing = MissingClass.all(in: schema)
    for missing in missing { CoreDataCommand.complain(missing.sentence) }
    let json = [
      "files": paths, "kept": kept.map { place(of: $0).path },
      "missingClasses": missing.map(\.name),
    ]
    print(try printsJSON ? JSONText.of(json) : paths.joined(separator: "\n"))
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
      ? "no entity asks for a class; \(remedy)"
      : "the model names no classes: every entity is a plain NSManagedObject; \(remedy)"
  }

  private func files(of schema: ModelSchema, in file: ModelFile) throws -> [SwiftFile] {
    var schema = schema
    for index in schema.entities.indices {
      if writesAll { schema.entities[index].nameClass() }
      if writesAll || file.form != .source, schema.entities[index].codeGeneration == .manual {
        schema.entities[index].codeGeneration = .classDefinition
      }
    }
    do throws(GenerationError) {
      let files = try ClassGenerator(schema, module: module).files()
      guard isSingleFile, !files.isEmpty else { return files }
      return [SwiftFile(joining: files, named: "\(file.name)+CoreDataModel.swift")]
    } catch {
      throw Refusal("\(model.lastPathComponent): \(sentence(error, file))")
    }
  }

  /// Nobody can change a model that is compiled or in a store.
  private func sentence(_ error: GenerationError, _ file: ModelFile) -> String {
    guard case .classOfOtherModule(let name, let entity, let module) = error, file.form != .source,
      let own = name.split(separator: ".").first
    else { return error.description }
    return
      "entity '\(entity)': its class '\(name)' is in module '\(own)', and would not be found in "
      + "'\(module)'; give --module \(own)"
  }
}

extension EntitySchema {
  fileprivate mutating func nameClass() {
    if ["", "NSManagedObject"].contains(className) { className = name }
  }
}

/// A class that generated code speaks of and that is nowhere in it: of a transformable attribute.
private struct MissingClass {
  let name: String
  let attributes: [String]

  static func all(in schema: ModelSchema) -> [MissingClass] {
    var users: [String: [String]] = [:]
    for entity in schema.entities {
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
