import CoreDataModel
import CoreDataModelChanges
import CoreDataModelWriting
import Foundation

/// `coredata model extract`: a model as Xcode's source.
struct ModelExtractCommand: Command {
  static let words = ["model", "extract"]
  static let summary = "write the model of a store or of a program as a .xcdatamodeld"
  static let help = """
    coredata model extract MODEL [-o NAME.xcdatamodeld] [--force] [--json]

    Writes the model that a store carries, or that was compiled for a program, as a source that Xcode
    opens, with all its versions.

      MODEL     a store with its model in it, or a .momd or .mom
      -o NAME   the folder to write; without it, one named after the file, in the current folder
      --force   replace a folder that is there
      --json    print an object with "output" and "losses"

    What models made in code can say and Xcode's files cannot is left out, and said: rules of
    validation with messages of their own, the order of a fetch request, defaults that are objects.

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
    output = try arguments.value(ifGiven: "-o").map {
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
      throw Refusal("\(output.path): the folder is there already; --force replaces it")
    }
    let losses = file.versions.flatMap { version in
      SchemaWriter(version.schema).losses.map { loss in
        "\(file.versions.count > 1 ? "\(version.name): " : "")left out, because Xcode's files "
          + "cannot say it: \(loss.sentence)"
      }
    }
    if !printsJSON { losses.forEach(CoreDataCommand.complain) }
    try refusing {
      try ModelSource.write(
        file.versions,
        currentVersionName: file.currentVersionName,
        to: output
      )
    }
    print(
      try printsJSON ? JSONText.of(["output": output.path, "losses": losses]) : output.path
    )
  }
}
