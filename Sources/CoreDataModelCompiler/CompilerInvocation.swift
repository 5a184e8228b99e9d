import Foundation

/// What `compile-data-model` is asked to do.
package enum CompilerInvocation: Hashable, Sendable {
  case help
  case compile(ModelCompilation)

  package static let usage = """
    usage: compile-data-model MODEL --output DIR --module NAME [--single-file]

    Compiles a data model as the plugin CoreDataModels does.

      MODEL           a .xcdatamodeld or .xcdatamodel folder
      --output DIR    where to write: <Model>.momd, and Swift files for the entities
                      whose code generation asks for them
      --module NAME   the module that the Swift files belong to
      --single-file   write one file, <Model>+CoreDataModel.swift, even when it is empty
      --help          print this
    """

  /// Reads a command line, without the name of the command itself.
  package init(_ arguments: some Sequence<String>) throws(UsageError) {
    var model: String?
    var options: [String: String] = [:]
    var isSingleFile = false
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h":
        self = .help
        return
      case "--single-file":
        isSingleFile = true
      case "--output", "--module":
        guard let value = rest.popFirst() else { throw .missingValue(argument) }
        options[argument] = value
      case _ where argument.hasPrefix("-") || model != nil:
        throw .unexpected(argument)
      case _:
        model = argument
      }
    }
    guard let model else { throw .missing("the path of a model") }
    guard let output = options["--output"] else { throw .missing("--output DIR") }
    guard let module = options["--module"] else { throw .missing("--module NAME") }
    self = .compile(
      ModelCompilation(
        model: URL(filePath: model),
        output: URL(filePath: output, directoryHint: .isDirectory),
        module: module,
        isSingleFile: isSingleFile
      )
    )
  }
}

/// A command line that says too little or too much.
package enum UsageError: Error, Hashable, CustomStringConvertible {
  case missing(String)
  case missingValue(String)
  case unexpected(String)

  package var description: String {
    switch self {
    case .missing(let what): "\(what) is missing; see compile-data-model --help"
    case .missingValue(let option): "\(option) needs a value; see compile-data-model --help"
    case .unexpected(let what): "unexpected argument '\(what)'; see compile-data-model --help"
    }
  }
}
