import CoreDataModel
import CoreDataModelCompiler
import Foundation

/// `coredata model compile`: the work of the plugin CoreDataModels at each build.
struct ModelCompileCommand: Command {
  static let words = ["model", "compile"]
  static let summary = "compile a .xcdatamodeld and write the classes of its entities"
  static let help = """
    coredata model compile MODEL --output DIR --module NAME [--single-file] [--json]

    Compiles a data model as the plugin CoreDataModels does, for builds without the plugin. Files of an
    earlier run that the model no longer asks for, such as those of a deleted entity, are not deleted: a
    warning names each.

      MODEL           a .xcdatamodeld or .xcdatamodel
      -o DIR, --output DIR
                      the folder for <Model>.momd and for the Swift files of the entities whose code
                      generation setting asks for them
      --module NAME   the module that the Swift files will be compiled in
      --single-file   write all Swift code to one file, even if there is none
      --json          print an object with "warnings"

    \(CoreDataCommand.exitStatuses)
    """

  private let compilation: ModelCompilation
  private let printsJSON: Bool

  init(_ arguments: inout CommandArguments) throws {
    printsJSON = arguments.flag("--json")
    let isSingleFile = arguments.flag("--single-file")
    guard let output = try arguments.output() else {
      throw arguments.mistake("--output DIR is missing")
    }
    let module = try arguments.module()
    let model = try arguments.operand("the path of a model")
    try arguments.finish()
    compilation = ModelCompilation(
      model: URL(filePath: model),
      output: URL(filePath: output, directoryHint: .isDirectory),
      module: module,
      isSingleFile: isSingleFile
    )
  }

  func run() throws {
    let warnings = try compilation.run().map(\.description)
    if printsJSON {
      print(try JSONText.of(["warnings": warnings]))
    } else {
      for warning in warnings { CoreDataCommand.complain(warning) }
    }
  }
}
