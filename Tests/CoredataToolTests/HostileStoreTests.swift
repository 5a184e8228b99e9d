import CoreData
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

/// Files of strangers in the tool's hands.
struct HostileStoreTests {
  private let store: ToolStore

  init() throws { store = try ToolStore() }

  private func run(_ statement: String) throws { try Connection(path: store.path).run(statement) }

  private func count(_ table: String) throws -> Int64 {
    let connection = try Connection(path: store.path, mode: .readOnly)
    let statement = try connection.statement("SELECT COUNT(*) FROM \(table)")
    defer { statement.reset() }
    #expect(try statement.step())
    return statement.integer(0)
  }

  private func set(_ words: String...) throws -> Program.Outcome {
    try Program.run(
      ["set", store.path, "--entity", "Note", "--where", "title == 'Shopping'", "stars=5", "--yes"]
        + words
    )
  }

  private static let cleaner =
    "CREATE TRIGGER cleaner AFTER UPDATE ON ZNOTE BEGIN DELETE FROM ZNOTE; END"

  @Test func `set ran a stranger's trigger, which deleted all, and said saved`() throws {
    try run(Self.cleaner)
    let outcome = try set()
    #expect(outcome.status == 1)
    #expect(
      outcome.errors.contains("1 trigger that its model does not explain"),
      "\(outcome.errors)"
    )
    #expect(outcome.errors.contains("cleaner, at changes of ZNOTE"))
    #expect(outcome.errors.contains("--run-triggers"))
    #expect(!outcome.output.contains("Saved"))
    #expect(try count("ZNOTE") == 3)
  }

  @Test func `a table of many lines wrote findings of its own into what check says`() throws {
    try run("CREATE TABLE \"x\nerrors\n  forged\" (A)")
    let output = try Program.run("check", store.path).output
    #expect(output.contains("x↵errors↵  forged"), "\(output)")
    #expect(!output.split(separator: "\n").contains("errors"))
  }

  @Test func `triggers of one's own run when they are asked for`() throws {
    try run("CREATE TABLE LOG (TITLE)")
    try run(
      "CREATE TRIGGER log AFTER UPDATE ON ZNOTE BEGIN INSERT INTO LOG VALUES (NEW.ZTITLE); END"
    )
    #expect(try set().status == 1)
    let outcome = try set("--run-triggers")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try count("LOG") == 1)
  }

  @Test func `a repair does not set off a stranger's trigger`() throws {
    try run("UPDATE ZNOTE SET ZFOLDER = 99 WHERE Z_PK = 1")
    try run(Self.cleaner)
    let outcome = try Program.run("repair", store.path, "--yes")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("cleaner"), "\(outcome.errors)")
    #expect(try count("ZNOTE") == 3)
    let check = try Program.run("check", store.path)
    #expect(check.status == 1)
    #expect(check.output.contains("cleaner"), "\(check.output)")
  }

  @Test func `whoever writes statements is told of triggers`() throws {
    try run(Self.cleaner)
    let outcome = try Program.run("sql", store.path, "SELECT 1", "--write")
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("cleaner"), "\(outcome.errors)")
    #expect(try Program.run("sql", store.path, "SELECT 1").errors.isEmpty)
  }

  @Test func `one row of an import took three gigabytes for a stranger's index`() throws {
    try run("CREATE INDEX large ON ZNOTE (ZTITLE, length(zeroblob(1000)))")
    let file = ToolStore.temporaryFile("notes.csv")
    try Data("title\nOne\n".utf8).write(to: file)
    let words = ["import", store.path, file.path, "--entity", "Note", "--yes"]
    let outcome = try Program.run(words)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("1 index of expressions that its model"), "\(outcome.errors)")
    #expect(outcome.errors.contains("large, at changes of ZNOTE"))
    #expect(try count("ZNOTE") == 3)
    let check = try Program.run("check", store.path)
    #expect(
      check.status == 0 && check.output.contains("an index of expressions"),
      "\(check.output)"
    )
    #expect(try Program.run(words + ["--run-triggers"]).status == 0)
    #expect(try count("ZNOTE") == 4)
  }

  @Test func `a value that nothing in the file is large enough for took gigabytes`() throws {
    let query = "SELECT length(zeroblob(600000000) || x'00')"
    let outcome = try Program.run("sql", store.path, query)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("out of memory"), "\(outcome.errors)")
  }

  @Test func `a search that was to read only made a file`() throws {
    let copy = ToolStore.temporaryFile("Copy.sqlite")
    for words in ["VACUUM INTO", "/* a */ vacuum main into"] {
      let outcome = try Program.run("sql", store.path, "\(words) '\(copy.path)'")
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("use --write"), "\(outcome.errors)")
      #expect(!FileManager.default.fileExists(atPath: copy.path))
    }
    let written = try Program.run("sql", store.path, "--write", "VACUUM INTO '\(copy.path)'")
    #expect(written.status == 0, "\(written.errors)")
    let attached = try Program.run(
      "sql",
      store.path,
      "ATTACH '\(copy.path)' AS other; SELECT COUNT(*) AS n FROM other.ZTAG",
      "--csv"
    )
    #expect(attached.output == "n\r\n2\r\n", "\(attached.errors)")
  }

  @Test func `an endless search was waited for`() throws {
    try run(
      "CREATE VIEW endless AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"
        + " SELECT x FROM c WHERE x < 0"
    )
    let outcome = try Program.run("sql", store.path, "SELECT * FROM endless", "--time-limit", "1")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("had worked for 1 s"), "\(outcome.errors)")
  }

  @Test func `an expression that tries too many ways is told of`() throws {
    try run("UPDATE ZNOTE SET ZTITLE = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab'")
    let outcome = try Program.run(
      "dump",
      store.path,
      "--entity",
      "Note",
      "--where",
      "title MATCHES '(a+)+$'"
    )
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("tries too many ways"), "\(outcome.errors)")
  }

  @Test func `dump printed the file behind a link`() throws {
    let file = ToolStore.temporaryFile("Large.sqlite")
    let stack = try NotesStack(file: file, options: [:])
    try stack.work { context in
      context.note("large").image = Data(repeating: 1, count: 200_000)
      try context.save()
    }
    for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
    let folder = file.deletingLastPathComponent()
      .appending(path: ".Large_SUPPORT/_EXTERNAL_DATA")
    let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder.path).first)
    let secret = ToolStore.temporaryFile("secret")
    try Data("secret".utf8).write(to: secret)
    try FileManager.default.removeItem(at: folder.appending(path: name))
    try FileManager.default.createSymbolicLink(
      at: folder.appending(path: name),
      withDestinationURL: secret
    )
    let json = try Program.run("dump", file.path, "--entity", "Note", "--json").output
    #expect(!json.contains(Data("secret".utf8).base64EncodedString()))
    let table = try Program.run("dump", file.path, "--entity", "Note").output
    #expect(table.contains("missing file"), "\(table)")
  }

  @Test(arguments: [["dump", "--json"], ["copy", "--as", "xml"]])
  func `the name of a file of large data cleared the terminal`(words: [String]) throws {
    let name = [2] + Array("../a\nb\u{1B}[2J".utf8) + [0]
    let hex = name.map { String(format: "%02X", $0) }.joined()
    let sql = "UPDATE ZNOTE SET ZIMAGE = X'\(hex)' WHERE Z_PK = 1"
    #expect(try Program.run("sql", store.path, "--write", sql).status == 0)
    let target = words[0] == "copy" ? [ToolStore.temporaryFile("Copy.xml").path] : []
    let outcome = try Program.run([words[0], store.path] + target + words.dropFirst())
    #expect(outcome.errors.contains("_EXTERNAL_DATA/../a␊b␛[2J"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("\u{1B}"))
  }

  @Test(arguments: ["sqlite", "xml", "binary"])
  func `a copy of a private store is private`(type: String) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: NSNumber(value: 0o600)],
      ofItemAtPath: store.path
    )
    let copy = ToolStore.temporaryFile("Copy.store")
    let outcome = try Program.run("copy", store.path, copy.path, "--as", type)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let again = ToolStore.temporaryFile("Again.store")
    let second = try Program.run("copy", copy.path, again.path, "--model", Program.model)
    #expect(second.status == 0, "\(second.errors)")
    for file in [copy, again] {
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }
  }
}
