import CoreDataModel
import CoreDataModelCompiler
import Foundation

/// `coredata model generate`: the classes of a model's entities.
struct ModelGenerateCommand: Command {
  static let words = ["model", "generate"]
  static let summary = "write the Swift classes of a model's entities"
  static let help = """
    coredata model generate MODEL -o FOLDER --module NAME [--version NAME] [--all] [--single-file]
                            [--json]

    Writes Swift files as the plugin CoreDataModels does at each build, to be kept and changed.

      MODEL            a .xcdatamodeld, .xcdatamodel, .momd or .mom, or a store with its model in it
      -o FOLDER        where to write
      --module NAME    the module that the files will belong to
      --version NAME   a version of the model; without it, the current one
      --all            write a class for each entity that names one, whatever its code generation
      --single-file    write all into one file
      --json           print an object with "files"

    Compiled models and stores do not know about code generation: for them, --all is meant.

    \(CoreDataCommand.exitStatuses)
    """

  private let model: URL
  private let output: URL
  private let module: String
  private let version: String?
  private let writesAll: Bool
  private let isSingleFile: Bool
  private let printsJSON: Bool

  init(_ arguments: inout CommandArguments) throws {
    writesAll = arguments.flag("--all")
    printsJSON = arguments.flag("--json")
    isSingleFile = arguments.flag("--single-file")
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
    let files = try self.files(of: try file.version(version).schema, in: file)
    guard !files.isEmpty else {
      throw Refusal(
        "\(model.lastPathComponent): no entity asks for a class; --all writes one for each that "
          + "names one"
      )
    }
    try refusing {
      try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
      for file in files {
        let text = file.text(from: model.lastPathComponent)
        try Data(text.utf8).write(to: output.appending(component: file.name), options: .atomic)
      }
    }
    let paths = files.map { output.appending(component: $0.name).path }
    print(try printsJSON ? JSONText.of(["files": paths]) : paths.joined(separator: "\n"))
  }

  private func files(of schema: ModelSchema, in file: ModelFile) throws -> [SwiftFile] {
    var schema = schema
    if writesAll || file.form != .source {
      for index in schema.entities.indices where schema.entities[index].codeGeneration == .manual {
        schema.entities[index].codeGeneration = .classDefinition
      }
    }
    do throws(GenerationError) {
      let files = try ClassGenerator(schema, module: module).files()
      guard isSingleFile, !files.isEmpty else { return files }
      return [SwiftFile(joining: files, named: "\(file.name)+CoreDataModel.swift")]
    } catch {
      throw Refusal("\(model.lastPathComponent): \(error.description)")
    }
  }
}
