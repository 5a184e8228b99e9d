import CoreData
import Foundation
import Synchronization

/// `coredata copy`: a store at another place, whole, even while it is in use.
struct CopyCommand: Command {
  static let words = ["copy"]
  static let summary = "copy a store, even one in use, or make an XML or binary store of it"
  static let help = """
    coredata copy STORE DESTINATION [--force] [--compact] [--as sqlite|xml|binary]
                  [--model MODEL | --without-model] [--json]

    Copies a store as it is at one moment, while others may go on writing: the database with what
    stands in its write-ahead log, and the folder with large data beside it. The copy is checked, and
    gets its name when it is complete.

      --force            replace what is at DESTINATION, which no program should have open
      --compact          without free pages, each table in one piece; takes longer
      --as TYPE          a store of another type: xml or binary; its objects are numbered anew
    \(CoreDataCommand.modelOption)
                         Only --as xml and --as binary need it.
      --json             print an object with "copy", "bytes" and "type"

      coredata copy Notes.sqlite Backup.sqlite
      coredata copy Notes.sqlite Notes.xml --as xml

    \(CoreDataCommand.exitStatuses)
    """

  private let source: URL
  private let destination: URL
  private let isForced: Bool
  private let isCompact: Bool
  private let type: String
  private let model: ModelChoice
  private let printsJSON: Bool

  init(_ arguments: inout CommandArguments) throws {
    printsJSON = arguments.flag("--json")
    isForced = arguments.flag("--force")
    isCompact = arguments.flag("--compact")
    type = try arguments.choice(ifGiven: "--as", among: ["sqlite", "xml", "binary"]) ?? "sqlite"
    model = try ModelChoice(&arguments)
    source = URL(filePath: try arguments.operand("the path of a store"))
    destination = URL(filePath: try arguments.operand("the path of the copy"))
    try arguments.finish()
    if isCompact, type != "sqlite" {
      throw arguments.mistake("--compact is for SQLite stores, and --as \(type) makes another")
    }
  }

  func run() throws {
    try OpenedStore.requireFile(source)
    try requirePlace()
    if type == "sqlite" { try copy() } else { try convert() }
    let attributes = try? FileManager.default.attributesOfItem(atPath: destination.path)
    let bytes = (attributes?[.size] as? NSNumber)?.intValue ?? 0
    let report: JSONValue = [
      "copy": .text(destination.path), "bytes": .integer(bytes), "type": .text(type),
    ]
    let line = "copied to \(destination.relativePath.inOneLine), \(bytes.asBytes)"
    try Output.writing { try $0.line(printsJSON ? report.pretty : line) }
  }

  private func requirePlace() throws {
    let files = FileManager.default
    let places = [source, destination].map { $0.resolvingSymlinksInPath().standardizedFileURL.path }
    if places[0] == places[1] { throw Refusal("\(source.path) would be copied onto itself") }
    var isFolder: ObjCBool = false
    if files.fileExists(atPath: destination.path, isDirectory: &isFolder) {
      if isFolder.boolValue {
        let file = destination.appendingPathComponent(source.lastPathComponent).relativePath
        throw Refusal("\(destination.path) is a folder; name the file, such as \(file)")
      }
      if !isForced {
        throw Refusal("\(destination.path) is there already; --force replaces it")
      }
    }
    let folder = destination.deletingLastPathComponent().path
    if !files.fileExists(atPath: folder, isDirectory: &isFolder) || !isFolder.boolValue {
      throw Refusal("\(folder): there is no such folder")
    }
    if !files.isWritableFile(atPath: folder) {
      throw Refusal("\(folder): this user may not write there")
    }
  }
}

// MARK: - Copying

extension CopyCommand {
  private func copy() throws {
    let line = ProgressLine()
    Interrupt.listen()
    let isComplete = try refusing {
      try FileCopy(of: source, to: destination, isCompact: isCompact)
        .perform { step, done, all in
          line.show(Self.words(for: step), done, of: all)
          return !Interrupt.isAsked
        }
    }
    line.erase()
    guard isComplete else { throw Refusal("interrupted; nothing was copied") }
  }

  private static func words(for step: FileCopy.Step) -> String {
    switch step {
    case .copying: "copying"
    case .compacting: "copying compactly"
    case .checking: "checking the copy"
    case .files: "copying large data"
    }
  }

  /// The new store is made under another name, and gets its own when it is complete.
  private func convert() throws {
    let store = try OpenedStore(at: source, model)
    let unfinished = destination.deletingLastPathComponent()
      .appendingPathComponent(".\(destination.lastPathComponent).unfinished-\(getpid())")
    defer { try? FileManager.default.removeItem(at: unfinished) }
    try refusing {
      guard let opened = store.coordinator.persistentStores.first else { return }
      try store.coordinator.migratePersistentStore(
        opened,
        to: unfinished,
        type: type == "xml" ? .xml : .binary
      )
    }
    guard rename(unfinished.path, destination.path) == 0 else {
      let reason = String(cString: strerror(errno))
      throw Refusal("\(destination.path) cannot be written: \(reason)")
    }
  }
}

/// Whether somebody has typed Control-C, for work that tidies up before it ends.
private enum Interrupt {
  private static let asked = Atomic(false)

  static var isAsked: Bool { asked.load(ordering: .relaxed) }

  static func listen() {
    signal(SIGINT) { _ in Interrupt.asked.store(true, ordering: .relaxed) }
  }
}
