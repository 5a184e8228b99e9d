import CoreDataModel
import CoreDataModelCompiler
import Foundation

/// The command line tool: `coredata <subject> <verb>`.
@main
enum CoreDataCommand {
  static let usage = """
    usage: coredata model compile MODEL --output DIR --module NAME [--single-file]
           coredata model hash MODEL [--json]

      compile   compile a .xcdatamodeld as the plugin CoreDataModels does
      hash      print each entity's version hash and the model's checksum: two models with the
                same hashes open each other's stores without migration

    MODEL is a .xcdatamodeld, .xcdatamodel, .momd or .mom. Exit status: 0 done, 1 the model is wrong,
    2 the command line is.
    """

  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch let mistake as Mistake {
      complain("coredata: \(mistake.sentence); see coredata --help")
      exit(2)
    } catch let error as UsageError {
      complain("coredata: \(error)")
      exit(2)
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) throws {
    switch arguments.prefix(2) {
    case [], ["help"], ["--help"], ["-h"]:
      print(usage)
    case ["model", "compile"]:
      try compile(arguments.dropFirst(2))
    case ["model", "hash"]:
      try hash(arguments.dropFirst(2))
    case ["model"]:
      throw Mistake(sentence: "model needs a verb: compile or hash")
    case let words:
      throw Mistake(sentence: "there is no command '\(words.joined(separator: " "))'")
    }
  }

  /// A command line that cannot be carried out.
  private struct Mistake: Error {
    let sentence: String
  }

  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }
}

// MARK: - Models

extension CoreDataCommand {
  private static func compile(_ arguments: ArraySlice<String>) throws {
    switch try CompilerInvocation(arguments) {
    case .help:
      print(usage)
    case .compile(let compilation):
      for warning in try compilation.run() { complain(warning.description) }
    }
  }

  private static func hash(_ arguments: ArraySlice<String>) throws {
    let paths = arguments.filter { !$0.hasPrefix("-") }
    let options = Set(arguments.filter { $0.hasPrefix("-") })
    if let unknown = options.subtracting(["--json"]).sorted().first {
      throw Mistake(sentence: "model hash does not know '\(unknown)'")
    }
    guard let path = paths.first, paths.count == 1 else {
      throw Mistake(sentence: "model hash takes the path of one model")
    }
    let schema = try schema(at: URL(filePath: path))
    print(options.contains("--json") ? try json(schema) : text(schema))
  }

  private static func schema(at url: URL) throws -> ModelSchema {
    let isCompiled = ["momd", "mom"].contains(url.pathExtension)
    return isCompiled
      ? try CompiledModel(contentsOf: url).current : try ModelSource(contentsOf: url).current
  }

  private static func text(_ schema: ModelSchema) -> String {
    let hashes = schema.entityVersionHashes.sorted { $0.key < $1.key }
    let width = hashes.map(\.key.count).max() ?? 0
    let lines = hashes.map { name, hash in
      name.padding(toLength: width, withPad: " ", startingAt: 0) + "  " + hash.base64EncodedString()
    }
    return (lines + ["checksum: \(schema.versionChecksum)"]).joined(separator: "\n")
  }

  private static func json(_ schema: ModelSchema) throws -> String {
    let values: [String: Any] = [
      "entities": schema.entityVersionHashes.mapValues { $0.base64EncodedString() },
      "checksum": schema.versionChecksum,
    ]
    let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys]
    let data = try JSONSerialization.data(withJSONObject: values, options: options)
    return String(decoding: data, as: UTF8.self)
  }
}
