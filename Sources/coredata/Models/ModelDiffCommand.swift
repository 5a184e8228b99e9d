import CoreDataModel
import CoreDataModelChanges
import Foundation

/// `coredata model diff`: the changes from one model to another.
struct ModelDiffCommand: Command {
  static let words = ["model", "diff"]
  static let summary = "print the differences between two models, and what they mean for migration"
  static let help = """
    coredata model diff MODEL [MODEL] [--from NAME] [--to NAME] [--json] [--exit-code]

    Prints the differences between two models, entity by entity, and whether a lightweight migration can
    convert a store from the first to the second.

      MODEL         a .xcdatamodeld, .xcdatamodel, .momd or .mom, or a store that contains its model; if
                    only one model is given, its last two versions are compared
      --from NAME   the version of the first model; without it, the current one, or, if only one model
                    is given, the one before its last
      --to NAME     the version of the second model; without it, the current one, or, if only one model
                    is given, its last
      --json        print an object with "changes" and "verdict"
      --exit-code   exit with status 1 if there are differences; the status of an error is 1 too

    Lines begin with + for additions, - for removals and ~ for changes. A mark at the end of a line
    shows what the change means for a migration:

      (rows)        every row of the table is rewritten, so the time depends on the number of objects
      (impossible)  a lightweight migration cannot do this; the reasons follow

    Changes without a mark take no time that depends on the size of the store.

      coredata model diff Notes.xcdatamodeld
      coredata model diff Notes.sqlite Notes.momd

    \(CoreDataCommand.exitStatuses)
    """

  private let first: URL
  private let second: URL?
  private let from: String?
  private let to: String?
  private let printsJSON: Bool
  private let setsExitCode: Bool

  init(_ arguments: inout CommandArguments) throws {
    printsJSON = arguments.flag("--json")
    setsExitCode = arguments.flag("--exit-code")
    from = try arguments.value(ifGiven: "--from")
    to = try arguments.value(ifGiven: "--to")
    first = URL(filePath: try arguments.operand("the path of a model"))
    second = arguments.operand().map { URL(filePath: $0) }
    try arguments.finish()
  }

  func run() throws {
    let (old, new, areCompiled) = try versions()
    // Settings that only the code generator reads are not in a compiled model, and would be a
    // change in each line.
    let comparison =
      areCompiled
      ? ModelComparison(from: old.schema.compiled(), to: new.schema.compiled())
      : ModelComparison(from: old.schema, to: new.schema)
    let listing = DiffListing(comparison, from: old.name, to: new.name)
    print(printsJSON ? try JSONText.of(listing.json) : listing.text(for: .output))
    if setsExitCode, !comparison.changes.isEmpty { exit(1) }
  }

  private func versions() throws -> (CompiledModel.Version, CompiledModel.Version, Bool) {
    let old = try ModelFile(contentsOf: first)
    if let second {
      let new = try ModelFile(contentsOf: second)
      let areSources = old.form == .source && new.form == .source
      return (try old.version(from), try new.version(to), !areSources)
    }
    if from == nil, to == nil, old.versionNames.count < 2 {
      throw Refusal(
        "\(old.url.lastPathComponent): the model has one version; give a second model to compare "
          + "it with"
      )
    }
    let names = old.versionNames.suffix(2)
    let isCompiled = old.form != .source
    return (
      try old.version(from ?? names.first), try old.version(to ?? names.last), isCompiled
    )
  }
}
