import CoreDataModel
import CoreDataModelChanges
import CoreDataModelWriting
import Foundation

/// `coredata model extract`: a model as Xcode's source.
struct ModelExtractCommand: Command {
  static let words = ["model", "extract"]
  static let summary = "write the model of a store, a program or Xcode 3 as a .xcdatamodeld"
  static let help = """
    coredata model extract MODEL [-o NAME.xcdatamodeld] [--force] [--json]

    Writes the model inside a store, or a compiled model with all its versions, as a .xcdatamodeld that
    Xcode can open. A model that Xcode 3 wrote is written in today's format.

      MODEL     a store that contains its model, a .momd or .mom, or a .xcdatamodeld or .xcdatamodel
      -o NAME, --output NAME
                the folder to write; without it, a folder named after MODEL in the current folder
      --force   replace an existing model; a folder that contains anything else is never replaced
      --json    print an object with "output" and "losses"

    Xcode's files cannot represent everything that a model made in code can contain: validation rules
    with their own messages, the order of a fetch request, and default values that are objects. These
    are left out and listed.

      coredata model extract Notes.sqlite -o Notes.xcdatamodeld

    \(CoreDataCommand.exitStatuses)
    """

  private let model: URL
  private let output: URL?
  private let replaces: Bool
  private let printsJSON: Bool

  init(_ arguments: inout CommandArguments) throws {
    replaces = arguments.flag("--force")
    printsJSON = arguments.flag("--json")
    output = try arguments.output().map {
      URL(filePath: $0, directoryHint: .isDirectory)
    }
    model = URL(filePath: try arguments.operand("the path of a store or model"))
    try arguments.finish()
    if let output, output.pathExtension != "xcdatamodeld" {
      throw arguments.mistake("-o needs a name that ends in .xcdatamodeld")
    }
  }

  func run() throws {
    let file = try ModelFile(contentsOf: model)
    let output = output ?? URL(filePath: "\(file.name).xcdatamodeld", directoryHint: .isDirectory)
    if FileManager.default.fileExists(atPath: output.path), !replaces {
      throw Refusal("\(output.path): the folder already exists; --force replaces it")
    }
    // Before the losses of the new one are reported.
    try refusing { try ModelReplacement.source.require(output) }
    let versions = try file.versions()
    let current = try file.currentVersionName()
    let losses = versions.flatMap { version in
      SchemaWriter(version.schema).losses.map { loss in
        "\(versions.count > 1 ? "\(version.name): " : "")left out, because Xcode's files "
          + "cannot represent it: \(loss.sentence)"
      }
    }
    if !printsJSON { losses.forEach(CoreDataCommand.complain) }
    try refusing {
      try ModelSource.write(
        versions,
        currentVersionName: current,
        to: output
      )
    }
    print(
      try printsJSON ? JSONText.of(["output": output.path, "losses": losses]) : output.path
    )
  }
}
