import CoreDataModel
import Foundation

/// `coredata model print`: a model as text.
struct ModelPrintCommand: Command {
  static let words = ["model", "print"]
  static let summary = "print the entities, properties, indexes and rules of a model"
  static let help = """
    coredata model print MODEL [--version NAME] [--entity NAME] [--json]

    Prints the entities of a model with their properties, indexes and validation rules.

      MODEL            a .xcdatamodeld, .xcdatamodel, .momd or .mom, or a store that contains its model
      --version NAME   a version of the model; without it, the current one
      --entity NAME    print only this entity
      --json           print an object with "entities", "configurations" and more

      coredata model print Notes.momd --entity Note

        Note: Item (class Notebook.Note)
          title   String   optional, unique
          folder  Folder   optional, inverse notes

    \(CoreDataCommand.exitStatuses)
    """

  private let model: URL
  private let version: String?
  private let entity: String?
  private let printsJSON: Bool

  init(_ arguments: inout CommandArguments) throws {
    printsJSON = arguments.flag("--json")
    version = try arguments.value(ifGiven: "--version")
    entity = try arguments.value(ifGiven: "--entity")
    model = URL(filePath: try arguments.operand("the path of a model"))
    try arguments.finish()
  }

  func run() throws {
    let file = try ModelFile(contentsOf: model)
    let version = try file.version(version)
    var schema = version.schema
    if let entity {
      guard let found = schema.entity(named: entity) else {
        let names = schema.entities.map(\.name).joined(separator: ", ")
        throw Refusal("the model has no entity '\(entity)'; its entities are \(names)")
      }
      schema = ModelSchema(entities: [found])
    }
    if printsJSON {
      var json = schema.json
      json["version"] = version.name
      print(try JSONText.of(json))
    } else {
      let heading = entity == nil ? heading(of: version, in: file) + "\n\n" : ""
      print(heading + SchemaListing(schema).text)
    }
  }

  private func heading(of version: CompiledModel.Version, in file: ModelFile) -> String {
    // A version that was asked for by its name is printed whichever is current, and if none is.
    let current = try? file.currentVersionName(saysDoubts: false)
    let isCurrent = version.name == current
    let place =
      switch file.form {
      case .store: "the model in the store \(file.url.lastPathComponent)"
      case .source, .compiled:
        file.versionNames.count == 1
          ? "the model \(file.name)"
          : "the model \(file.name), version \(version.name)"
            + "\(isCurrent ? ", the current one" : "") of \(file.versionNames.count)"
      }
    return "\(place)\nchecksum \(version.schema.versionChecksum)"
  }
}
