import CoreData
import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

/// The tool on PostgreSQL databases, run as a process.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct DatabaseTests {
  let place = PostgreSQLServer.shared.place().absoluteString

  /// A database with the objects of a tool's store, in a zone.
  func filled(zone: String = "home") throws -> ToolStore {
    let store = try ToolStore()
    let outcome = try Program.run("copy", store.path, place, "--zone", zone)
    #expect(outcome.errors == "")
    #expect(outcome.output.hasPrefix("copied to postgresql://"))
    #expect(outcome.output.contains("(zone \(zone))"))
    return store
  }

  @Test func `a database is described with its zones and rows`() throws {
    _ = try filled()
    let outcome = try Program.run("inspect", place, "--zone", "home", "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let report = try outcome.json
    #expect(report["zones"] as? [String] == ["home"])
    let entities = try #require(report["entities"] as? [[String: Any]])
    let rows = entities.compactMap { entity -> String? in
      guard let name = entity["name"] as? String, let count = entity["rows"] as? Int else {
        return nil
      }
      return "\(name) \(count)"
    }
    #expect(rows.contains("Folder 2") && rows.contains("Note 2") && rows.contains("Checklist 1"))
    let text = try Program.run("inspect", place, "--zone", "home")
    #expect(text.output.contains("PostgreSQL ") && text.output.contains("Checklist"))
  }

  @Test func `the objects of a database are printed as those of the file they came from`() throws {
    let store = try filled()
    let lines = { (output: String) in output.split(separator: "\n").sorted() }
    for entity in ["Note", "Folder", "Tag"] {
      let options = ["--entity", entity, "--format", "csv"]
      let found = try Program.run(["dump", place, "--zone", "home"] + options)
      let wanted = try Program.run(["dump", store.path] + options)
      #expect(found.errors == "", "\(entity)")
      #expect(lines(found.output) == lines(wanted.output), "\(entity)")
    }
    let searched = try Program.run(
      "dump",
      place,
      "--zone",
      "home",
      "--entity",
      "Note",
      "--where",
      "stars == 3",
      "--columns",
      "title,folder.name",
      "--format",
      "csv"
    )
    #expect(searched.output.contains("Shopping,Home"))
  }

  @Test func `a database becomes a file again, with the same objects and keys`() throws {
    let store = try filled()
    let copy = ToolStore.temporaryFile("Back.sqlite")
    let outcome = try Program.run("copy", place, copy.path, "--zone", "home")
    #expect(outcome.errors == "")
    let dumps = try [store.path, copy.path].map { path in
      try Program.run("dump", path, "--format", "jsonl").output
    }
    let plain = dumps.map { dump in
      dump.replacing(/x-coredata:\/\/[^\/]*/) { _ in "" }.split(separator: "\n").sorted()
    }
    #expect(plain[0] == plain[1])
    #expect(plain[0].count > 5)
  }

  @Test func `a copy in a database had no history, and another UUID than the file`() throws {
    let file = ToolStore.temporaryFile("Kept.sqlite")
    let stack = try NotesStack(file: file, options: [NSPersistentHistoryTrackingKey: true])
    for title in ["One", "Two"] { try stack.saved { $0.note(title) } }
    for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
    let back = ToolStore.temporaryFile("Back.sqlite")
    for words in [[file.path, place], [place, back.path]] {
      let outcome = try Program.run(["copy"] + words + ["--zone", "kept"])
      #expect(outcome.errors == "")
    }
    let zone = try Program.run("inspect", place, "--zone", "kept", "--json").json
    let history = try #require(zone["history"] as? [String: Any])
    #expect(history["lastTransaction"] as? Int == 2)
    let stores = try [file.path, back.path].map { path in
      try Program.run("dump", path, "--format", "jsonl").output
    }
    #expect(stores[0] == stores[1])
    let again = try NotesStack(file: back, options: [NSPersistentHistoryTrackingKey: true])
    try again.saved { $0.note("Three") }
    let token = again.coordinator.currentPersistentHistoryToken(fromStores: nil)
    #expect(try #require(token).description.contains("3"))
  }

  @Test func `views are made, printed and removed`() throws {
    _ = try filled()
    let schema = "seen_" + UUID().uuidString.prefix(8).lowercased()
    let words = ["views", place, "--zone", "home", "--schema", schema]
    let made = try Program.run(words)
    #expect(made.errors == "")
    #expect(made.output.contains("views in the schema \(schema): ") && made.output.contains("note"))
    let printed = try Program.run(words + ["--print"])
    #expect(printed.output.contains("CREATE VIEW \"\(schema)\".\"note\" AS SELECT"))
    #expect(printed.output.contains("WHERE z_zone = 'home'"))
    let removed = try Program.run(words + ["--remove"])
    #expect(removed.errors == "")
    let again = try Program.run(words + ["--remove"])
    #expect(again.status == 1 && again.errors.contains("has no views in the schema \(schema)"))
  }

  @Test func `views of a file are temporary ones that SQLite takes`() throws {
    let store = try ToolStore()
    #expect(try Program.run("views", store.path).status == 2)
    let printed = try Program.run("views", store.path, "--print")
    #expect(printed.errors == "")
    let file = try Connection(path: store.path, mode: .readOnly)
    for statement in printed.output.split(separator: "\n") { try file.run(String(statement)) }
    #expect(try file.integer("SELECT COUNT(*) FROM folder") == 2)
    #expect(try file.integer("SELECT COUNT(*) FROM sqlite_master WHERE type = 'view'") == 0)
  }

  @Test func `a zone that is there is not copied into`() throws {
    let store = try filled()
    let outcome = try Program.run("copy", store.path, place, "--zone", "home")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("already"))
    let report = try Program.run("inspect", place, "--zone", "home", "--json").json
    let entities = try #require(report["entities"] as? [[String: Any]])
    #expect(entities.contains { $0["name"] as? String == "Note" && $0["rows"] as? Int == 2 })
  }

  @Test func `a zone that is not there was told as a file that is no store`() throws {
    let empty = try Program.run("inspect", place)
    #expect(empty.status == 1)
    #expect(empty.errors.contains("has no store in it. Check the address"), "\(empty.errors)")
    _ = try filled()
    let outcome = try Program.run("inspect", place, "--zone", "work")
    #expect(outcome.status == 1)
    let words = "has no zone “work”, but “home”. Name one that is there with --zone."
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    // And none was made.
    let report = try Program.run("inspect", place, "--zone", "home", "--json").json
    #expect(report["zones"] as? [String] == ["home"])
  }

  @Test(arguments: [
    ["inspect"], ["dump"], ["check"], ["sql", "SELECT 1"], ["dump", "Notes.sqlite"],
    ["copy", "/nowhere/Notes.sqlite"],
  ])
  func `no command prints a password`(words: [String]) throws {
    let address = "postgresql://ada:swordfish@localhost:1/notes?password=mackerel&connect_timeout=2"
    let outcome = try Program.run(words + [address])
    #expect(outcome.status != 0)
    let text = outcome.output + outcome.errors
    #expect(!text.contains("swordfish") && !text.contains("mackerel"))
    #expect(outcome.errors != "")
  }

  @Test func `signs in a password let its end be printed`() throws {
    for address in [
      "postgresql://ada:sword,fi'sh;mackerel@localhost/notes",
      "postgresql://localhost/notes?user=ada&password=sword,fi'sh;mackerel",
    ] {
      let outcome = try Program.run(address)
      #expect(outcome.errors.contains("there is no command 'postgresql://"))
      let parts = ["sword", "fi", "sh;", "mackerel"]
      #expect(parts.allSatisfy { !outcome.errors.contains($0) }, "\(outcome.errors)")
    }
  }

  @Test func `what libpq asks stood in a sentence with two signs at its end`() throws {
    let outcome = try Program.run("serve", "--store", "postgresql://127.0.0.1:1/notes")
    #expect(outcome.status != 0)
    #expect(outcome.errors.contains("cannot be used: "))
    #expect(!outcome.errors.contains("?.") && !outcome.errors.contains(".."))
  }

  @Test func `several hosts with ports were said to be no address, without what helps`() throws {
    let outcome = try Program.run("inspect", "postgresql://127.0.0.1:1,localhost:2/notes")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("postgresql:///DATABASE?host=HOST,HOST&port=PORT,PORT"))
    let read = try Program.run(
      "inspect",
      "postgresql:///notes?host=127.0.0.1,localhost&port=1,2&connect_timeout=2"
    )
    #expect(read.errors.contains("port 2 failed"))
  }

  @Test func `commands for files say which take databases`() throws {
    let outcome = try Program.run("repair", "postgresql://localhost/notes")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("inspect, dump"))
  }
}

// MARK: - SQL

extension DatabaseTests {
  @Test func `a statement on a server prints a table, JSON or CSV`() throws {
    _ = try filled()
    let query = "SELECT \"Z_PK\", \"ZNAME\" FROM \"ZFOLDER\" WHERE z_zone = 'home' ORDER BY 1"
    #expect(
      try Program.run("sql", place, query).output == """
        Z_PK  ZNAME
           1  Home
           2  Ideas
        2 rows

        """
    )
    let values = "Z_PK,ZNAME\r\n1,Home\r\n2,Ideas\r\n"
    #expect(try Program.run("sql", "--csv", place, query).output == values)
    let typed =
      "SELECT 1.5 AS half, true AS yes, CAST(NULL AS TEXT) AS none, '\\x00ff'::BYTEA AS bytes"
    #expect(
      try Program.run("sql", "--json", place, typed).output == """
        [
          {"half":"1.5","yes":1,"none":null,"bytes":"AP8="}
        ]

        """
    )
    #expect(try Program.run("sql", place, "\(query) LIMIT 0", "--json").output == "[]\n")
  }

  @Test(arguments: [[], ["--write"]])
  func `numbers and bytes were printed as the user's settings have it`(
    options: [String]
  ) throws {
    let settings = "%20-cextra_float_digits%3D0%20-cbytea_output%3Descape"
    let query = "SELECT CAST(0.1 AS DOUBLE PRECISION) + 0.2 AS sum, '\\x00ff'::BYTEA AS bytes"
    let outcome = try Program.run(["sql", "--csv"] + options + [place + settings, query])
    #expect(outcome.output == "sum,bytes\r\n0.30000000000000004,AP8=\r\n", "\(outcome.errors)")
  }

  @Test func `a mistake has the server's words, a mark at the place and a guess`() throws {
    _ = try filled()
    let column = try Program.run("sql", place, "SELECT 'ä',\n  nope\nFROM \"ZNOTE\"")
    #expect(column.status == 1)
    #expect(column.errors == "column \"nope\" does not exist\n    nope\n    ^\n")
    let table = try Program.run("sql", place, "SELECT * FROM ZNOTE")
    #expect(table.errors.contains("did you mean 'ZNOTE'?"), "\(table.errors)")
    let copied = try Program.run("sql", place, "COPY \"ZNOTE\" TO STDOUT")
    #expect(copied.errors.contains("psql"))
  }

  @Test func `statements with semicolons in texts and comments may be piped to a server`() throws {
    _ = try filled()
    let input = """
      .tables
      -- a comment; with a semicolon
      SELECT ';' AS mark, $a$;'$a$ AS other, /* ; /* ; */ */ E'\\';' AS third,
        COUNT(*) AS notes FROM "ZNOTE"; SELECT 'end'
      """
    let outcome = try Program.shell("coredata sql --csv '\(place)'", input: input)
    #expect(outcome.errors == "")
    #expect(outcome.output.contains("ZFOLDER\nZNOTE\nZTAG\n"))
    #expect(outcome.output.contains("mark,other,third,notes\r\n;,;',';,3\r\n"), "\(outcome.output)")
    #expect(outcome.output.hasSuffix("end\r\n"))
    let schema = try Program.shell("coredata sql '\(place)'", input: ".schema ztag\n")
    #expect(
      schema.output.hasPrefix("CREATE TABLE \"ZTAG\" (\n  z_zone text COLLATE \"C\" NOT NULL,")
    )
    #expect(schema.output.contains("PRIMARY KEY (z_zone, \"Z_PK\")"))
    let entities = try Program.shell("coredata sql '\(place)'", input: ".entities")
    #expect(entities.output.contains("Checklist  Note"), "\(entities.output)")
    #expect(entities.output.contains("home"))
  }
}

// MARK: - Plans

extension DatabaseTests {
  @Test func `a fetch is explained by the server's own plan`() throws {
    _ = try filled()
    let arguments = ["--store", place, "--zone", "home", "--entity", "Note"]
    let outcome = try Program.run(["explain", "--predicate", "stars > 3"] + arguments)
    #expect(outcome.errors == "")
    #expect(outcome.output.contains("\"t0\".\"ZSTARS\" > "), "\(outcome.output)")
    #expect(outcome.output.contains("\n$1 = 'home'\n$2 = 3\n"), "\(outcome.output)")
    #expect(outcome.output.contains(" on \"ZNOTE\""), "\(outcome.output)")
    let advice = "A fetch index on stars would find the matching rows directly."
    #expect(outcome.output.contains(advice))
    let indexed = try Program.run(
      ["explain", "--predicate", "folder == nil"] + arguments + ["--json"]
    )
    #expect(try indexed.json["advice"] as? [String] == [], "\(indexed.output)")
    let refused = try Program.run(
      ["explain", "--predicate", "title MATCHES '(?<=a)b'"] + arguments
    )
    #expect(refused.status == 1)
    #expect(refused.errors.contains("title MATCHES"), "\(refused.errors)")
    let unnamed = try Program.run(
      "explain",
      place,
      "--zone",
      "home",
      "--entity",
      "Note",
      "--predicate",
      "stars > 3"
    )
    #expect(unnamed.status == 2)
    #expect(unnamed.errors.contains("--store names one"), "\(unnamed.errors)")
  }
}

// MARK: - Checks

extension DatabaseTests {
  /// The findings of a check, each as “severity check place”.
  private func findings(_ options: String...) throws -> (Int32, [String]) {
    let outcome = try Program.run(["check", place, "--json"] + options)
    let findings = try #require(outcome.json["findings"] as? [[String: Any]], "\(outcome.errors)")
    return (
      outcome.status,
      findings.map { "\($0["severity"] ?? "") \($0["check"] ?? "") \($0["place"] ?? "")" }
    )
  }

  private func write(_ sql: String) throws {
    let outcome = try Program.run("sql", "--write", place, sql)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func `a database in which nothing is wrong is sound`() throws {
    _ = try filled()
    let outcome = try Program.run("check", place)
    #expect(outcome.errors == "")
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.hasPrefix("The store is sound"), "\(outcome.output)")
  }

  @Test(arguments: [
    ("UPDATE \"ZNOTE\" SET \"Z_ENT\" = 99 WHERE \"Z_PK\" = 2", "error row-entity ZNOTE"),
    ("DELETE FROM \"ZFOLDER\" WHERE \"ZNAME\" = 'Ideas'", "error dangling-key Note.folder"),
    ("UPDATE z_keys SET z_last = 1", "error last-key Note"),
    ("DELETE FROM \"ZTAG\"", "warning pair Note.tags"),
    ("ALTER TABLE \"ZTAG\" DROP COLUMN \"ZNAME\"", "error column ZTAG"),
    ("DROP TABLE \"ZTAG\"", "error table ZTAG"),
    ("ALTER TABLE \"ZNOTE\" ALTER \"ZSTARS\" TYPE TEXT", "error column ZNOTE"),
    ("UPDATE z_zones SET z_zone = 'work'", "warning table ZNOTE"),
  ])
  func `what somebody has damaged by hand is found`(sql: String, finding: String) throws {
    _ = try filled()
    try write(sql)
    let (status, findings) = try findings()
    #expect(findings.contains(finding), "\(findings)")
    #expect(status == (finding.hasPrefix("error") ? 1 : 0), "\(findings)")
  }

  @Test func `a check of one zone says nothing of another`() throws {
    _ = try filled()
    _ = try filled(zone: "work")
    try write("UPDATE \"ZNOTE\" SET \"Z_ENT\" = 99 WHERE z_zone = 'work'")
    #expect(try findings("--zone", "home").0 == 0)
    #expect(try findings("--zone", "work").0 == 1)
    let whole = try Program.run("check", place)
    #expect(whole.output.contains("in the zone work"), "\(whole.output)")
    #expect(try findings("--zone", "nowhere").1 == ["error table z_zones"])
  }
}

// MARK: - Poolers

extension DatabaseTests {
  @Test func `an address that named the manner of a pooler was refused by libpq`() throws {
    _ = try filled()
    let dump = ["--zone", "home", "--entity", "Tag", "--format", "csv"]
    let plain = try Program.run(["dump", place] + dump)
    let pooled = try Program.run(["dump", place + "&pooling=transaction"] + dump)
    #expect(pooled.errors == "")
    #expect(pooled.output == plain.output)
    let wrong = try Program.run("dump", place + "&pooling=maybe", "--entity", "Tag")
    #expect(wrong.status != 0)
    #expect(wrong.errors.contains("pooling by “maybe”"), "\(wrong.errors)")
    let server = try Program.run("serve", "--store", place + "&pooling=transaction", "--zones")
    #expect(server.status != 0)
    #expect(server.errors.contains("give the address past the pooler"), "\(server.errors)")
  }
}
