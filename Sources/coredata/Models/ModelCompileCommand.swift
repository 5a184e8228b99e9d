import CoreDataModel
import CoreDataModelCompiler

/// `coredata model compile`: what the plugin CoreDataModels does at each build.
struct ModelCompileCommand: Command {
  static let words = ["model", "compile"]
  static let summary = "compile a .xcdatamodeld and write the classes of its entities"
  static let help = """
    coredata model compile MODEL --output DIR --module NAME [--single-file] [--json]

    Compiles a data model as the plugin CoreDataModels does, for builds without the plugin.

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
    // The build tool knows one spelling.
    let output = try arguments.output().map { ["--output", $0] } ?? []
    do throws(UsageError) {
      guard case .compile(let compilation) = try CompilerInvocation(arguments.all() + output) else {
        throw .missing("the path of a model")
      }
      self.compilation = compilation
    } catch {
      throw arguments.mistake(error.sentence)
    }
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

extension UsageError {
  /// Without the place that explains more, which is another one here.
  fileprivate var sentence: String {
    switch self {
    case .missing(let what): "\(what) is missing"
    case .missingValue(let option): "\(option) needs a value"
    case .unexpected(let word): "unexpected '\(word)'"
    }
  }
}
