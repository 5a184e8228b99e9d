import CoreDataSQL
import CoreDataSQLite
import Foundation
import Testing

/// Tests of the tool's services for the person who types.
struct MannersTests {
  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full"),
    arguments: [["--help"], ["model", "print"], ["check"], ["completion", "bash"]]
  )
  func `an output that was cut off was told as done`(words: [String]) throws {
    let store = words.count == 1 && words[0] == "check" || words.contains("print")
    let operands = store ? [try ToolStore().path] : []
    let outcome = try Program.run(words + operands, outputTo: "/dev/full")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("the output cannot be written: No space left on device"))
  }

  @Test(arguments: [
    (["inspec"], "there is no command 'inspec'; did you mean 'inspect'? See coredata --help"),
    (
      ["model", "compil"],
      "there is no command 'model compil'; did you mean 'model compile'? See coredata --help"
    ),
    (["--versoin"], "unexpected '--versoin'; did you mean '--version'? See coredata --help"),
    (
      ["dump", "a.sqlite", "--limt", "5"],
      "dump: unexpected '--limt'; did you mean '--limit'? See coredata dump --help"
    ),
    (
      ["dump", "--limt=5", "a.sqlite"],
      "dump: unexpected '--limt'; did you mean '--limit'? See coredata dump --help"
    ),
    (
      ["dump", "a.sqlite", "--format", "cvs"],
      "dump: --format is table, csv, json or jsonl, not 'cvs'; did you mean 'csv'?"
    ),
    (
      ["dump", "a.sqlite", "--limit", "few"],
      "dump: --limit needs a whole number of 0 or more, not 'few'"
    ),
    (
      ["dump", "a.sqlite", "--limit", "-3"],
      "dump: --limit needs a whole number of 0 or more, not '-3'"
    ),
    (["dump", "a.sqlite", "--sort=title", "--sort=stars"], "dump: --sort is given twice"),
    (["dump", "a.sqlite", "--limit", "1", "--limit", "2"], "dump: --limit is given twice"),
    (["inspect", "a.sqlite", "--json=yes"], "inspect: --json takes no value"),
    (["inspect", "a.sqlite", "b.sqlite"], "inspect: unexpected 'b.sqlite'"),
    (["inspect", "--jsno"], "inspect: unexpected '--jsno'; did you mean '--json'?"),
    (["dump", "a.sqlite", "--where", "x = 1"], "dump: --where needs --entity; see"),
    (
      ["dump", "a.sqlite", "--format", "csv"],
      "dump: CSV can hold one entity only; choose it with --entity"
    ),
    (["copy", "a.sqlite"], "copy: the path of the copy is missing; see coredata copy --help"),
    (["sql", "a.sqlite", "--json", "--csv"], "sql: --json and --csv cannot be used together"),
    (["completion", "bsh"], "completion: the shell is bash, zsh or fish, not 'bsh'; did you mean"),
    (
      ["serve", "--limit", "much"],
      "serve: --limit needs a size, such as 500MB or 2GB, or none; not 'much'"
    ),
    (["zzzzz"], "there is no command 'zzzzz'; see coredata --help"),
  ])
  func `a mistake is answered with what may have been meant, and status 2`(
    words: [String],
    sentence: String
  ) throws {
    let outcome = try Program.run(words)
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("coredata: \(sentence)"), "\(outcome.errors)")
    #expect(outcome.output == "")
  }

  @Test(arguments: [
    "inspect", "dump", "sql", "copy", "migrate", "explain", "completion", "model hash",
    "model generate",
  ])
  func `help is the same wherever it is asked for`(command: String) throws {
    let words = command.split(separator: " ").map(String.init)
    let outcome = try Program.run(words + ["--help"])
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("coredata \(command) "))
    #expect(outcome.output.contains("Exit status: 0 done"))
    #expect(try Program.run(["help"] + words).output == outcome.output)
    #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test func `the help of some commands was too wide, or did not describe what it names`() throws {
    let list = try Program.run("help").output.split(separator: "\n")
      .prefix { !$0.hasPrefix("Run ") }
    let commands = list.compactMap { $0.firstMatch(of: #/^  ([a-z-]+( [a-z-]+)?)  /#)?.1 }
    #expect(commands.count > 25)
    let statuses = #/(?s)Exit\s+status: 0 .*\s1 .*\s2 the\s+command\s+line\s+is\s+wrong/#
    for command in commands {
      let words = command.split(separator: " ").map(String.init)
      let help = try Program.run(["help"] + words).output
      let wide = help.split(separator: "\n").filter { $0.count > 100 }
      #expect(wide.isEmpty, "\(command): \(wide)")
      #expect(help.contains(statuses), "\(command)")
      let options = help.matches(of: #/--[a-z][a-z-]*/#).map { String($0.output) }
      let usage = help.prefix(upTo: help.firstRange(of: "\n\n")?.lowerBound ?? help.endIndex)
      for match in usage.matches(of: #/--[a-z][a-z-]*/#) {
        // Once in the line on usage, and once in words.
        #expect(options.count { $0 == match.output } > 1, "\(command): \(match.output)")
      }
    }
  }

  @Test func `help of a subject lists its verbs`() throws {
    let outcome = try Program.run("help", "model")
    #expect(outcome.output.contains("model compile") && outcome.output.contains("model hash"))
    #expect(try Program.run("help", "modle").status == 2)
  }

  @Test(arguments: ["model", "new", "sync"])
  func `help of a subject was refused behind its name`(subject: String) throws {
    let outcome = try Program.run(subject, "--help")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try Program.run("help", subject).output == outcome.output)
    let mistyped = try Program.run("modle", "--help")
    #expect(mistyped.status == 2)
    #expect(mistyped.errors.contains("did you mean 'model'?"), "\(mistyped.errors)")
  }

  @Test func `the version is a line`() throws {
    let outcome = try Program.run("--version")
    #expect(outcome.output.hasPrefix("coredata "))
    #expect(outcome.output.contains("SQLite 3."))
    #expect(outcome.output.count { $0 == "\n" } == 1)
    #expect(try Program.run("-V").output == outcome.output)
  }

  @Test func `the version is the newest one in the change log`() throws {
    let log = try String(contentsOf: Self.package.appending(path: "CHANGELOG.md"), encoding: .utf8)
    let newest = try #require(log.firstMatch(of: /\n## (\d+\.\d+\.\d+)\n/)).output.1
    #expect(try Program.run("--version").output.hasPrefix("coredata \(newest) with SQLite "))
  }

  private static let package = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test func `options stand before or after operands, and two dashes end them`() throws {
    let store = try ToolStore()
    let first = try Program.run("dump", store.path, "--entity", "Note", "--limit=1")
    let second = try Program.run("dump", "--limit", "1", "--entity=Note", store.path)
    let third = try Program.run("dump", "--limit", "1", "--entity=Note", "--", store.path)
    #expect(first.output == second.output && first.output == third.output)
    #expect(first.status == 0 && first.output.contains("Shopping"))
    let dashed = try Program.run("inspect", "--", "--json")
    #expect(dashed.status == 1)
    #expect(dashed.errors.hasSuffix("--json: there is no such file\n"))
  }

  @Test func `a store that is not there is status 1, and the complaint goes to the errors`() throws
  {
    for command in ["inspect", "dump", "sql"] {
      let outcome = try Program.run(command, "nowhere.sqlite")
      #expect(outcome.status == 1)
      #expect(outcome.output == "")
      #expect(outcome.errors.hasSuffix("nowhere.sqlite: there is no such file\n"))
    }
  }

  @Test func `a symbolic link that leads nowhere was said not to be there`() throws {
    let link = URL.temporaryDirectory.appending(path: "\(UUID().uuidString).sqlite").path
    try FileManager.default.createSymbolicLink(
      atPath: link,
      withDestinationPath: "/nowhere/Notes.sqlite"
    )
    defer { try? FileManager.default.removeItem(atPath: link) }
    for command in ["inspect", "dump", "sql", "check"] {
      let outcome = try Program.run(command, link)
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("it is a symbolic link to /nowhere/Notes.sqlite"))
    }
  }

  @Test(arguments: ["-wal", "-shm"])
  func `a store's log was taken for a damaged store`(suffix: String) throws {
    let store = try ToolStore()
    let log = URL(fileURLWithPath: store.path + suffix)
    try Data("not looked at".utf8).write(to: log)
    for command in ["inspect", "dump", "check", "sql"] {
      let outcome = try Program.run(command, log.path)
      #expect(outcome.status == 1)
      let remedy =
        "belongs to the store \(store.file.lastPathComponent) beside it; name that file\n"
      #expect(outcome.errors.hasSuffix(remedy), "\(outcome.errors)")
    }
    try Data([0x37, 0x7F, 0x06, 0x82, 0]).write(to: log)
    try FileManager.default.removeItem(at: store.file)
    let alone = try Program.run("dump", log.path)
    #expect(alone.errors.contains("which is not beside it; copy both"), "\(alone.errors)")
  }

  @Test func `a file that is no store is refused with a sentence`() throws {
    let file = ToolStore.temporaryFile("text.sqlite")
    try Data("This is a letter, not a store at all.".utf8).write(to: file)
    for command in ["inspect", "dump"] {
      let outcome = try Program.run(command, file.path)
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("The file is not a database."), "\(outcome.errors)")
    }
  }

  @Test func `what cannot be a store was waited for, or called a damaged database`() throws {
    let folder = ToolStore.temporaryFile("Container")
    let files = FileManager.default
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    try files.copyItem(
      at: try ToolStore().file,
      to: folder.appending(path: "Notes.sqlite")
    )
    let archive = ToolStore.temporaryFile("Notes.zip")
    try Data([0x50, 0x4B, 3, 4, 0, 0, 0, 0]).write(to: archive)
    let pipe = ToolStore.temporaryFile("pipe.sqlite")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    for (path, sentence) in [
      (folder.path, "is a folder; name the store in it, such as \(folder.path)/Notes.sqlite"),
      (archive.path, "is a ZIP archive; unpack it"),
      (Program.model, "is a data model; coredata model print \(Program.model) describes it"),
      (pipe.path, "is not a file but a pipe or a device"),
    ] {
      for words in [["inspect"], ["dump"], ["check"], ["copy", path + ".copy"]] {
        let outcome = try Program.run([words[0], path] + words.dropFirst())
        #expect(outcome.status == 1 && outcome.output == "")
        #expect(outcome.errors.contains(sentence), "\(words) \(outcome.errors)")
      }
    }
  }

  @Test func `a reader that goes away ends the tool without a word`() throws {
    let store = try ToolStore(notes: 20_000)
    let line = "coredata dump '\(store.path)' --format jsonl | head -1"
    let outcome = try Program.shell("\(line); echo ${PIPESTATUS[0]}")
    #expect(outcome.errors == "")
    #expect(outcome.output.hasSuffix("}\n141\n"))
    let ignored = try Program.shell("trap '' PIPE; \(line)")
    #expect(ignored.errors == "")
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `completion scripts speak of commands and options`(shell: String) throws {
    let outcome = try Program.run("completion", shell)
    #expect(outcome.status == 0)
    for word in ["inspect", "dump", "where", "columns", "compile"] {
      #expect(outcome.output.contains(word))
    }
  }

  @Test func `fish gets quotation marks that end where they should`() throws {
    let lines = try Program.run("completion", "fish").output.split(separator: "\n")
    #expect(lines.contains { $0.hasSuffix("its values and the database\\'s plan'") })
    for line in lines {
      let marks = line.replacing("\\'", with: "").count { $0 == "'" }
      #expect(marks.isMultiple(of: 2), "\(line)")
    }
  }

  @Test func `bash completes a command, a verb and an option`() throws {
    func completed(_ words: String...) throws -> String {
      let list = words.map { "'\($0)'" }.joined(separator: " ")
      let line = """
        source <("$TOOL" completion bash); COMP_WORDS=(coredata \(list))
        COMP_CWORD=\(words.count); _coredata; echo "${COMPREPLY[*]}"
        """
      return try Program.shell(line).output
    }
    #expect(try completed("insp") == "inspect\n")
    #expect(try completed("model", "co") == "compile\n")
    #expect(try completed("dump", "x.sqlite", "--li") == "--limit\n")
    #expect(try completed("help", "ins") == "inspect\n")
    #expect(try completed("dump", "x") == "\n")
    #expect(try completed("model", "diagram", "--out") == "--output\n")
    // Options of other commands, of which the help speaks, were offered.
    for (command, option) in [("explain", "--whe"), ("serve", "--enc"), ("import", "--arch")] {
      #expect(try completed(command, option) == "\n")
    }
  }
}

/// Tests of the output at a terminal.
@Suite(.enabled(if: Program.hasTerminal, "needs the program script"))
struct TerminalTests {
  @Test func `headings are bold at a terminal, unless NO_COLOR is set`() throws {
    let store = try ToolStore()
    let seen = try Program.seen("coredata inspect \(store.path)")
    #expect(seen.contains("\u{1B}[1m"))
    // A long task shows a line of its progress in between, which is gone at the end.
    let plain = try Program.seen("NO_COLOR=1 coredata inspect \(store.path) 2>/dev/null")
    #expect(!plain.contains("\u{1B}"))
    #expect(plain.contains("entities"))
    #expect(try !Program.run("inspect", store.path).output.contains("\u{1B}"))
  }

  @Test(arguments: [40, 60, 80, 132])
  func `tables fit the terminal`(columns: Int) throws {
    let store = try ToolStore()
    let seen = try Program.seen("NO_COLOR=1 coredata dump \(store.path)", columns: columns)
    #expect(seen.contains("Shopping"))
    let rows = seen.split(separator: "\n").filter { !$0.hasPrefix("not shown") }
    #expect(rows.allSatisfy { $0.count <= columns }, "\(seen)")
    #expect(seen.contains("…"))
  }

  @Test(arguments: ["--format csv --entity Note", "--json", "--entity Note"])
  func `no format lets a note control the terminal`(options: String) throws {
    let store = try ToolStore()
    let seen = try Program.seen("NO_COLOR=1 coredata dump \(store.path) \(options)")
    #expect(seen.contains("two "))
    for scalar in ["\u{1B}", "\u{07}", "\u{202E}"] { #expect(!seen.contains(scalar)) }
  }

  @Test func `the prompt answers statements and words with a dot`() throws {
    let store = try ToolStore()
    let typing = "SELECT ZTITLE\nFROM ZNOTE WHERE Z_PK = 1;\nSELECT nope;\n.tabels\n.quit\n"
    let seen = try Program.seen("NO_COLOR=1 coredata sql \(store.path)", typing: typing)
    #expect(seen.contains("Notes.sqlite, read-only."))
    #expect(seen.contains("coredata>      ...> ZTITLE\nShopping\n1 row\n"), "\(seen)")
    #expect(seen.contains("no such column: nope\n  SELECT nope;\n         ^\n"), "\(seen)")
    #expect(seen.contains("there is no .tabels; did you mean '.tables'?"))
  }

  // MARK: Texts that would control a terminal

  /// The characters of an escape sequence, a bell, a sequence of one character and a turn of direction.
  private static let controls = ["\u{1B}", "\u{07}", "\u{9B}", "\u{202E}", "\u{08}"]

  @Test(arguments: [
    ["sql", "SELECT char(27) || '[2J' AS a, char(155) || '31m' AS b, char(7) AS c", "--json"],
    ["sql", "SELECT char(27) || '[2J' AS a, char(155) || '31m' AS b, char(7) AS c"],
    ["sql", "SELECT x FROM \"\u{1B}[2J\u{9B}\""], ["sql", ".schema"], ["sql", ".tables"],
    ["sql", ".entities\u{1B}[2J"], ["check"], ["check", "--json"], ["inspect"], ["dump"],
    ["dump", "--entity", "\u{1B}[2J\u{9B}"], ["dump", "--json"], ["repair", "--dry-run"],
    ["dump", "--entity", "Note", "--where", "title == \"\u{1B}[2J"],
    ["set", "--entity", "Note", "--where", "TRUEPREDICATE", "title=\u{1B}[2J\u{9B}", "--dry-run"],
    ["model", "print", "--entity", "\u{1B}[2J"], ["copy", "/nowhere/\u{1B}[2J\u{9B}"],
    ["explain", "--entity", "Note", "--predicate", "title == \"\u{1B}[2J\u{9B}\"", "--store"],
  ])
  func `escape sequences in a store or on the command line reached the terminal`(
    words: [String]
  ) throws {
    let store = try ToolStore()
    let connection = try Connection(path: store.path)
    try connection.run("CREATE TABLE \"x\u{1B}[2J\u{9B}31m\" (a)")
    try connection.run("INSERT INTO Z_PRIMARYKEY VALUES (99, '\u{1B}[2J\u{9B}', 0, 0)")
    try connection.run("UPDATE ZFOLDER SET ZNAME = '\u{1B}]0;owned\u{07}' WHERE Z_PK = 1")
    let isOption = words.last == "--store"
    let verb = words.first == "model" ? 2 : 1
    let place = isOption ? words.count : verb
    let outcome = try Program.run(
      Array(words[..<place]) + [store.path] + Array(words[place...])
    )
    #expect(outcome.output + outcome.errors != "")
    for control in Self.controls {
      #expect(!(outcome.output + outcome.errors).contains(control), "\(outcome.output)")
    }
  }

  @Test(arguments: [
    "print", "hash", "diagram", "diff", "print --json", "hash --json", "diff --json",
  ])
  func `escape sequences in a model reached the terminal`(verb: String) throws {
    let folder = ToolStore.temporaryFile("Notes.xcdatamodeld")
    for (name, type) in [("Notes", "String"), ("Notes 2", "Date")] {
      let version = folder.appending(path: "\(name).xcdatamodel")
      try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
      let xml = """
        <model><entity name="No\u{9B}31mte"><attribute name="a\u{202E}b" attributeType="\(type)"/>\
        </entity></model>
        """
      try Data(xml.utf8).write(to: version.appending(path: "contents"))
    }
    let words = verb.split(separator: " ").map(String.init)
    let outcome = try Program.run(["model", words[0], folder.path] + words.dropFirst())
    #expect(outcome.status == 0, "\(outcome.errors)")
    for control in Self.controls { #expect(!outcome.output.contains(control)) }
    if words.count > 1 { #expect(throws: Never.self) { try outcome.json } }
  }

  @Test(.enabled(if: Program.hasTerminal))
  func `CSV of sql reached the terminal as it was`() throws {
    let store = try ToolStore()
    let seen = try Program.seen("coredata sql \(store.path) \"SELECT char(27,155,7)\" --csv")
    for control in Self.controls { #expect(!seen.contains(control), "\(seen)") }
  }
}
