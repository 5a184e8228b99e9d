import CoreDataSwiftCode
import Foundation

/// `coredata port`: source code written for Apple's systems, made ready for Linux.
struct PortCommand: Command {
  static let words = ["port"]
  static let summary = "show or make the changes that Swift code for Apple's systems needs here"
  static let help = """
    coredata port PATH … [--apply]

    Finds what the compiler on Linux does not accept in code that uses Core Data or SwiftData, and
    prints the changes that help as a unified diff. Nothing is changed without --apply. What a person
    has to decide is listed at the end, with the file, the line and a remedy; the status is 0 all the
    same.

      PATH      Swift files, or folders with Swift files
      --apply   change the files

    It changes @objc, @objcMembers and dynamic; #keyPath; #selector in sort descriptors and in observers
    of notifications; optional methods of @objc protocols and their calls; overrides in extensions of
    classes whose declaration is among the files; imports of UIKit, SwiftUI, Combine and other
    frameworks of Apple's; initializers that Linux requires; the container for iCloud; the folder of an
    app group; and the bundle of a compiled model. Names of Apple's other frameworks are listed once for
    each file; for Combine there is the product CoreDataCombine. Files with views are left alone.
    @NSManaged stays: the plugin CoreDataModels provides its accessors. @Model classes stay as they are:
    the product SwiftData has the macro. SwiftUI's @Query and modelContainer are named.

      coredata port Sources
      coredata port Sources/Notes Tests --apply

    \(CoreDataCommand.exitStatuses)
    """

  private let paths: [String]
  private let applies: Bool

  init(_ arguments: inout CommandArguments) throws {
    applies = arguments.flag("--apply")
    var paths = [try arguments.operand("a Swift file, or a folder with Swift files,")]
    while let path = arguments.operand() { paths.append(path) }
    self.paths = paths
    try arguments.finish()
  }

  func run() throws {
    var met: Set<String> = []
    let files = try paths.flatMap { try SourceFiles.all(at: $0) }.filter {
      met.insert(URL(filePath: $0.path).standardizedFileURL.path).inserted
    }
    guard !files.isEmpty else {
      throw Refusal("\(paths.joined(separator: ", ")): there are no Swift files")
    }
    let plan = PortPlan(for: files)
    if applies {
      for change in plan.changes { try write(change) }
    } else {
      try Output.writing { output in
        for change in plan.changes { try output.writeExactly(shown(UnifiedDiff(change).text)) }
      }
    }
    for remark in plan.remarks { CoreDataCommand.complain(remark.sentence) }
    CoreDataCommand.complain(summary(of: plan, among: files.count))
  }

  /// A file or a pipe gets the bytes, which are for `patch`; a terminal gets none that would control it.
  private func shown(_ text: String) -> String {
    guard Terminal.output.isInteractive else { return text }
    return text.replacing("\r\n", with: "\n").replacing("\t", with: "    ").harmless
  }

  private func write(_ change: PortedChange) throws {
    try refusing {
      try Data(change.new).write(to: URL(filePath: change.path), options: .atomic)
    }
  }

  private func summary(of plan: PortPlan, among count: Int) -> String {
    let changed = plan.changes.count
    let verb = applies ? "changed" : "would change; --apply changes them"
    let files = "\(changed) of \(count) \(count == 1 ? "file" : "files")"
    let remarks =
      plan.remarks.isEmpty ? "nothing is left to decide" : "\(plan.remarks.count) left to decide"
    return "\(files) \(verb); \(remarks)"
  }
}
