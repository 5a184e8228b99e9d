import CoreDataModel
import Foundation

/// `coredata model hash`: the hashes that distinguish models.
struct ModelHashCommand: Command {
  static let words = ["model", "hash"]
  static let summary = "print the version hash of each entity and the model's checksum"
  static let help = """
    coredata model hash MODEL [--version NAME] [--json]

    Prints the version hash of each entity and the checksum of the model. If two models have the same
    hashes, each opens the stores of the other without migration.

      MODEL            a .xcdatamodeld, .xcdatamodel, .momd or .mom, or a store that contains its model
      --version NAME   a version of the model; without it, the current one
      --json           print an object with "entities" and "checksum"

    \(CoreDataCommand.exitStatuses)
    """

  private let model: URL
  private let version: String?
  private let printsJSON: Bool

  init(_ arguments: inout CommandArguments) throws {
    printsJSON = arguments.flag("--json")
    version = try arguments.value(ifGiven: "--version")
    model = URL(filePath: try arguments.operand("the path of a model"))
    try arguments.finish()
  }

  func run() throws {
    let schema = try ModelSchema(contentsOf: model, version: version)
    print(printsJSON ? try JSONText.of(json(schema)) : text(schema))
  }

  private func text(_ schema: ModelSchema) -> String {
    let hashes = schema.entityVersionHashes.sorted { $0.key < $1.key }
    let width = hashes.map(\.key.displayWidth).max() ?? 0
    let lines = hashes.map { name, hash in
      name.filled(to: width) + "  " + hash.base64EncodedString()
    }
    return (lines + ["checksum: \(schema.versionChecksum)"]).joined(separator: "\n")
  }

  private func json(_ schema: ModelSchema) -> [String: Any] {
    [
      "entities": schema.entityVersionHashes.mapValues { $0.base64EncodedString() },
      "checksum": schema.versionChecksum,
    ]
  }
}

/// JSON as the commands print it: the same values give the same text.
enum JSONText {
  static func of(_ value: [String: Any]) throws -> String {
    let options: JSONSerialization.WritingOptions = [
      .prettyPrinted, .sortedKeys, .withoutEscapingSlashes,
    ]
    let text = String(
      decoding: try JSONSerialization.data(withJSONObject: value, options: options),
      as: UTF8.self
    )
    // Foundation escapes fewer characters than control a terminal; they occur in texts only.
    return text.isHarmless
      ? text
      : text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { JSONValue.escapingControls(in: $0) }.joined(separator: "\n")
  }
}
