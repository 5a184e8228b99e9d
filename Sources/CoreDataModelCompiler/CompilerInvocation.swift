import Foundation

/// The task given to `compile-data-model`.
package enum CompilerInvocation: Hashable, Sendable {
  case help
  case compile(ModelCompilation)
  case map(MappingCompilation)
  case manage(ManagedCompilation)

  package static let usage = """
    usage: compile-data-model MODEL --output DIR --module NAME [--single-file]
           compile-data-model --mapping MAPPING --output FILE [MODEL …]
           compile-data-model --managed FILE --module NAME [OPTIONS] SOURCE …

    Compiles a data model as the plugin CoreDataModels does.

      MODEL           a .xcdatamodeld or .xcdatamodel folder
      --output DIR    where to write: <Model>.momd, and Swift files for the entities
                      whose code generation asks for them
      --module NAME   the module that the Swift files belong to
      --single-file   write one file, <Model>+CoreDataModel.swift, even when it is empty
      --help          print this

    The second form compiles a mapping model, a .xcmappingmodel folder, for the versions of models that
    it names: --output FILE is a .cdm.

    The third form writes the accessors of properties and methods with @NSManaged.

      --managed FILE  the Swift file to write
      --model NAME=PATH, --dependency NAME=PATH
                      a model, or a Swift file of another module, with its module's name
      SOURCE          a Swift file of the module
    """

  /// Reads a command line, without the name of the command itself.
  package init(_ arguments: some Sequence<String>) throws(UsageError) {
    let arguments = Array(arguments)
    if arguments.contains("--managed"), !arguments.contains("--help") {
      self = .manage(try ManagedCompilation(arguments))
      return
    }
    if arguments.contains("--mapping"), !arguments.contains("--help") {
      self = .map(try MappingCompilation(arguments))
      return
    }
    var model: String?
    var options: [String: String] = [:]
    var isSingleFile = false
    var rest = arguments[...]
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

extension MappingCompilation {
  fileprivate init(_ arguments: [String]) throws(UsageError) {
    var options: [String: String] = [:]
    var models: [URL] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--mapping", "--output":
        guard let value = rest.popFirst() else { throw .missingValue(argument) }
        options[argument] = value
      case _ where argument.hasPrefix("-"): throw .unexpected(argument)
      case _: models.append(URL(filePath: argument))
      }
    }
    guard let mapping = options["--mapping"] else { throw .missing("--mapping MAPPING") }
    guard let output = options["--output"] else { throw .missing("--output FILE") }
    self.init(mapping: URL(filePath: mapping), output: URL(filePath: output), models: models)
  }
}

extension ManagedCompilation {
  fileprivate init(_ arguments: [String]) throws(UsageError) {
    var options: [String: String] = [:]
    var (sources, models, dependencies): ([URL], [Part], [Part]) = ([], [], [])
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--managed", "--module":
        guard let value = rest.popFirst() else { throw .missingValue(argument) }
        options[argument] = value
      case "--model":
        models.append(try Self.part(rest.popFirst(), argument))
      case "--dependency":
        dependencies.append(try Self.part(rest.popFirst(), argument))
      case _ where argument.hasPrefix("-"):
        throw .unexpected(argument)
      case _:
        sources.append(URL(filePath: argument))
      }
    }
    guard let output = options["--managed"] else { throw .missing("--managed FILE") }
    guard let module = options["--module"] else { throw .missing("--module NAME") }
    self.init(
      module: module,
      output: URL(filePath: output),
      sources: sources,
      models: models,
      dependencies: dependencies
    )
  }

  private static func part(_ value: String?, _ option: String) throws(UsageError) -> Part {
    guard let parts = value?.split(separator: "=", maxSplits: 1), parts.count == 2 else {
      throw .missingValue(option)
    }
    return Part(module: String(parts[0]), location: URL(filePath: String(parts[1])))
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
