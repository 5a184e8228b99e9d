import CoreData
import Foundation
import TestSupport
import Testing

/// `coredata import`, run as a process.
struct ImportTests {
  let store: ToolStore

  init() throws { store = try ToolStore() }

  func file(_ name: String, _ text: String) throws -> String {
    let file = ToolStore.temporaryFile(name)
    try Data(text.utf8).write(to: file)
    return file.path
  }

  func load(
    _ file: String,
    _ words: String...,
    entity: String = "Note"
  ) throws -> Program.Outcome {
    try Program.run(["import", store.path, file, "--entity", entity] + words)
  }

  func sql(_ query: String) throws -> String {
    try Program.run("sql", store.path, query, "--csv").output.split(separator: "\r\n")
      .dropFirst().joined(separator: "\n")
  }

  @Test func `a rehearsal shows columns and the sum, and changes no byte`() throws {
    let before = try Data(contentsOf: store.file)
    let notes = try file("notes.csv", "Title,Is Favourite,Rubbish\nOne,yes,x\nTwo,no,\n")
    let outcome = try load(notes, "--map", "Rubbish=", "--dry-run")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      outcome.output == """
          Title → title
          Is Favourite → isFavourite
          left out: Rubbish
        2 records read

        """
    )
    #expect(try Data(contentsOf: store.file) == before)
  }

  @Test func `a relationship to one at both ends was to be saved by a program`() throws {
    let notes = try file("notes.csv", "title,Covers\nOne,Folder/p1\n")
    let outcome = try load(notes, "--dry-run")
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == """
        Note.covers is to one at both ends, and the other end is kept in other rows.
        Leave the column out, with --map 'Covers=', and set the property afterwards, with coredata set.

        """
    )
    let title = "title == \"Shopping\""
    let set = try Program.run(
      ["set", store.path, "--entity", "Note", "--where", title, "covers=Folder/p1", "--yes"]
    )
    #expect(set.status == 0, "\(set.errors)")
    #expect(try load(notes, "--map", "Covers=", "--dry-run").status == 0)
  }

  @Test func `cells become values of the properties' types`() throws {
    let notes = try file(
      "notes.csv",
      "\u{FEFF}title;stars;created;price;uuid;link;folder;text\r\n"
        + "\"Semi; \"\"quoted\"\"\nline\";4;2024-05-10T18:14:11.5Z;0.1;;https://a.b/c;Folder/p2;\"\"\r\n"
        + "nil;;;;;;;\r\n"
    )
    let outcome = try load(notes, "--yes")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.hasSuffix("2 records read\nImported.\n"))
    #expect(
      try sql(
        "SELECT ZTITLE, ZSTARS, ZCREATED, ZPRICE, ZUUID IS NULL, ZFOLDER, ZTEXT = '' FROM ZNOTE "
          + "WHERE ZTITLE LIKE 'Semi%'"
      ) == "\"Semi; \"\"quoted\"\"\nline\",4,737057651.5,0.1,1,2,1"
    )
    #expect(
      try sql("SELECT ZSTARS IS NULL, ZFOLDER IS NULL FROM ZNOTE WHERE ZTITLE = 'nil'") == "1,1"
    )
    #expect(try Program.run("check", store.path, "--deep").output == "The store is sound.\n")
  }

  @Test func `JSON is read as an array, and as lines`() throws {
    let array = try file(
      "a.json",
      #"[{"title": "A", "stars": 2, "isFavourite": true}, {"title": null}]"#
    )
    #expect(try load(array, "--yes").status == 0)
    let lines = try file("b.jsonl", "{\"title\": \"B\", \"rating\": 1.5}\n\n{\"title\": \"C\"}\n")
    #expect(try load(lines, "--yes").status == 0)
    #expect(
      try sql(
        "SELECT ZTITLE, ZSTARS, ZISFAVOURITE, ZRATING FROM ZNOTE WHERE Z_PK > 3 ORDER BY Z_PK"
      )
        == "A,2,1,0.0\n,0,0,0.0\nB,0,0,1.5\nC,0,0,0.0"
    )
  }

  @Test func `lines of JSON are the same however a value is spelled`() throws {
    let plain = try file(
      "plain.jsonl",
      #"""
      {"title":"tab\u0009é","stars":4,"rating":1.5,"isFavourite":true,"text":null,"price":12.5}
      {"title": "tab\té", "stars": 4, "rating": 15e-1, "isFavourite": true, "text": null, "price": 12.50 }
      {"title":"-0.25","stars":-4,"rating":-0.25,"isFavourite":false,"text":"","price":0}
      """#
    )
    #expect(try load(plain, "--map", "stars=views", "--yes").status == 0)
    #expect(
      try sql(
        "SELECT hex(ZTITLE), ZVIEWS, ZRATING, ZISFAVOURITE, ZTEXT IS NULL, ZPRICE FROM ZNOTE "
          + "WHERE Z_PK > 3 ORDER BY Z_PK"
      )
        == "74616209C3A9,4,1.5,1,1,12.5\n74616209C3A9,4,1.5,1,1,12.5\n2D302E3235,-4,-0.25,0,0,0"
    )
    // A Boolean value was 1 as a text.
    let flags = try file("flags.jsonl", "{\"title\":true}\n{\"title\":false,\"text\":\"\\n\"}\n")
    #expect(try load(flags, "--yes").status == 0)
    #expect(
      try sql("SELECT ZTITLE FROM ZNOTE WHERE Z_PK > 6 ORDER BY Z_PK") == "true\nfalse"
    )
    for broken in [
      #"{"title": "a"} x"#, #"{"title" "a"}"#, #"{"stars": 01}"#,
      #"{"stars": 1.}"#, #"{"stars": -}"#, #"{"isFavourite": tru}"#, #"{"title": "a""#,
    ] {
      let outcome = try load(try file("broken.jsonl", broken), "--yes")
      #expect(outcome.status == 1 && outcome.errors.contains("line 1 is not JSON"), "\(broken)")
    }
  }

  @Test func `quotation marks, lines and separators stand within a cell`() throws {
    let notes = try file("q.csv", "title,text\n\"\"\"a\"\"\",\"x,\"\"\ny\"\nplain,\"\"\n")
    #expect(try load(notes, "--yes").status == 0)
    #expect(
      try sql("SELECT ZTITLE || '|' || ZTEXT FROM ZNOTE WHERE Z_PK > 3 ORDER BY Z_PK")
        == "\"\"\"a\"\"|x,\"\"\ny\"\nplain|"
    )
    let bad = try load(try file("b.csv", "title,stars\n\"a\nb\",1\nc,many\n"), "--yes")
    #expect(bad.output.contains("  line 4: Note.stars is a whole number"), "\(bad.output)")
  }

  @Test func `one record that cannot be imported keeps all out, and is named by its line`() throws {
    let notes = try file(
      "notes.csv",
      "title,stars,folder\nGood,1,\nMany,many,\nBounds,9,\nLost,1,Folder/p77\n\(String(repeating: "x", count: 41)),1,\n"
    )
    let outcome = try load(notes, "--yes")
    #expect(outcome.status == 1)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(
      lines.contains("  line 3: Note.stars is a whole number of the type Integer 16; 'many' is not")
    )
    #expect(lines.contains { $0.hasPrefix("  line 4: ") && $0.contains("stars") })
    #expect(lines.contains("  line 5: there is no Folder 'Folder/p77'"))
    #expect(lines.contains { $0.hasPrefix("  line 6: ") && $0.contains("title") })
    #expect(lines.last == "5 records read, 4 cannot be imported; nothing was imported")
    #expect(try sql("SELECT COUNT(*) FROM ZNOTE") == "3")
  }

  @Test(arguments: [
    ("title,colour\nA,red\n", "Note has no property 'colour'"),
    ("title,Title\nA,B\n", "both become title"),
    ("title\n\"open\n", "line 2: the quotation mark of a cell is not closed"),
    ("title\nA,B\n", "line 2 has 2 cells, and line 1 names 1 columns"),
    ("title\n\"A\"B\n", "behind a quotation mark that ends a cell stands something else"),
    ("", "line 1 names no columns"), ("title,title\n", "line 1 names the column 'title' twice"),
  ])
  func `a file that is not of its format is refused in a sentence`(
    text: String,
    sentence: String
  ) throws {
    let outcome = try load(try file("bad.csv", text), "--yes")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    #expect(try sql("SELECT COUNT(*) FROM ZNOTE") == "3")
  }

  @Test func `bytes that are no text, and JSON of another shape, are refused`() throws {
    let latin = ToolStore.temporaryFile("latin.csv")
    try Data([0x74, 0x69, 0x74, 0x6C, 0x65, 0x0A, 0xE9, 0x0A]).write(to: latin)
    #expect(try load(latin.path, "--yes").errors.contains("line 2 is not UTF-8"))
    let wide = ToolStore.temporaryFile("wide.csv")
    let letters = try #require("title\nA\n".data(using: .utf16LittleEndian))
    try (Data([0xFF, 0xFE]) + letters).write(to: wide)
    #expect(try load(wide.path, "--yes").errors.contains("the file is UTF-16; convert it"))
    for (text, name) in [
      ("{}", "a.json"), ("[1]", "a.json"), ("[", "a.json"), ("1\n", "a.jsonl"), ("{\n", "a.jsonl"),
    ] {
      let outcome = try load(try file(name, text), "--yes")
      #expect(outcome.status == 1 && !outcome.errors.isEmpty, "\(text)")
    }
    let nested = try load(try file("n.json", #"[{"title": ["a"]}]"#), "--yes")
    #expect(nested.output.contains("record 1: Note.title: a list or an object cannot be imported"))
  }

  @Test func `a folder in the place of a file with records was told by an error number`() throws {
    let folder = store.file.deletingLastPathComponent().path
    let outcome = try load(folder, "--format", "csv", "--dry-run")
    #expect(outcome.status == 1)
    #expect(outcome.errors == "\(folder) is a folder; name the file with the records\n")
  }

  @Test func `JSON of a rehearsal has columns and refusals`() throws {
    let outcome = try load(try file("n.csv", "title,stars\nA,b\n"), "--dry-run", "--json")
    let json = try outcome.json
    #expect(
      json["records"] as? Int == 1 && json["isSaved"] as? Bool == false
        && json["refusedCount"] as? Int == 1
    )
    #expect((json["refused"] as? [[String: Any]])?.first?["line"] as? Int == 2)
    #expect((json["columns"] as? [String: String]) == ["title": "title", "stars": "stars"])
    #expect(try load(try file("n.csv", "title\nA\n"), "--json").status == 2)
  }

  @Test func `records that exist are refused, updated or kept, as one says`() throws {
    let store = try BookShelf()
    let books = try file("books.csv", "isbn,title,author\n1,Emma,Austen\n2,Orlando,Woolf\n")
    func load(_ file: String, _ words: String...) throws -> Program.Outcome {
      try Program.run(["import", store.path, file, "--entity", "Book", "--yes"] + words)
    }
    func rows() throws -> String {
      try Program.run("dump", store.path, "--entity", "Book", "--sort", "isbn", "--format", "csv")
        .output
    }
    #expect(try load(books).output.hasSuffix("2 records read\nImported.\n"))
    let first = try rows()
    let more = try file("more.csv", "isbn,title\n2,Flush\n3,Ulysses\n")
    let refused = try load(more)
    #expect(
      refused.status == 1
        && refused.output.hasSuffix(
          """
          2 records read
            line 2: Book/p2 has the same isbn, which must be unique
          2 records read, 1 cannot be imported; nothing was imported

          """
        ),
      "\(refused.output)\(refused.errors)"
    )
    #expect(try rows() == first)
    let kept = try load(more, "--duplicates", "keep")
    #expect(
      kept.output.hasSuffix("Imported; 1 object existed and stayed unchanged.\n"),
      "\(kept.errors)"
    )
    #expect(try rows().contains("Orlando") && rows().contains("Ulysses"))
    let updated = try load(more, "--duplicates", "update")
    #expect(
      updated.output.hasSuffix("Imported; 2 objects existed and got the values of the file.\n")
    )
    #expect(try rows().contains("Flush") && !rows().contains("Orlando"))
  }

  @Test func `a value is the same whether it is spelled plainly or in another way`() throws {
    let notes = try file(
      "spelled.csv",
      """
      title,created,views,rating,isFavourite
      a,2024-05-10T18:14:11.5Z,12,0.1,1
      b,2024-05-10 20:14:11.5+02:00,+12,1e-1,YES
      c, 2024-05-10T18:14:11.5 ,012,.1,true
      d,1582-10-04,-7,-0,0
      e,2024-02-29,9223372036854775807,123456789012345678,no

      """
    )
    let outcome = try load(notes, "--yes")
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    #expect(
      try sql(
        "SELECT ZCREATED, ZVIEWS, ZRATING = 0.1, ZISFAVOURITE FROM ZNOTE WHERE Z_PK BETWEEN 4 AND 6"
      ) == "737057651.5,12,1,1\n737057651.5,12,1,1\n737057651.5,12,1,1"
    )
    #expect(
      try sql(
        "SELECT date(ZCREATED + 978307200, 'unixepoch'), ZVIEWS, ZRATING = 123456789012345678.0, "
          + "ZISFAVOURITE FROM ZNOTE WHERE Z_PK = 8"
      ) == "2024-02-29,9223372036854775807,1,0"
    )
    let impossible = ["2024-05-10T18:14:11+25:00", "2024-05-10T18:14:11+02:75"]
    for wrong in ["2023-02-29", "2024-05-10T24:00:00Z", "2024-05-10T18:14:11.Z"] + impossible {
      let outcome = try load(try file("wrong.csv", "title,created\na,\(wrong)\n"), "--yes")
      #expect(outcome.output.contains("line 2: Note.created is a date"), "\(wrong)")
    }
  }

  @Test(arguments: ["12abc", "1_0", "0x10", " 1", "1 ", "nan", "Inf", "-", "1e"])
  func `the beginning of a number was taken for the whole`(text: String) throws {
    for (property, form) in [("price", "a number of at most 38 digits"), ("rating", "a number")] {
      let notes = try file("numbers.csv", "title,\(property)\na,\(text)\n")
      let outcome = try load(notes, "--yes")
      #expect(
        outcome.output.contains("line 2: Note.\(property) is \(form); '\(text)' is not"),
        "\(outcome.output)\(outcome.errors)"
      )
    }
  }

  @Test func `the digits of a decimal behind the 38th were dropped without a word`() throws {
    let digits = "0.\(String(repeating: "12345678", count: 5))"
    let outcome = try load(try file("digits.csv", "title,price\na,\(digits)\n"), "--yes")
    #expect(outcome.output.contains("line 2: Note.price is a number of at most 38 digits"))
    let fitting = "1000000000000000000000000000000000000000000000"
    #expect(try load(try file("fits.csv", "title,price\na,\(fitting)\n"), "--yes").status == 0)
  }

  @Test func `the length of a text is counted as everywhere, in units of UTF-16`() throws {
    let smile = "\u{1F600}"
    let texts =
      [19, 20, 21].map { String(repeating: smile, count: $0) } + [
        String(repeating: "é", count: 40), String(repeating: "é", count: 41),
      ]
    let notes = try file("long.csv", "title\n" + texts.joined(separator: "\n") + "\n")
    let outcome = try load(notes, "--dry-run")
    let lines = outcome.output.split(separator: "\n").filter { $0.hasPrefix("  line") }
    #expect(lines.map { $0.prefix(8) } == ["  line 4", "  line 6"], "\(outcome.output)")
  }

  @Test func `values that are twice in a file are named by both lines`() throws {
    let store = try BookShelf()
    let books = try file(
      "books.csv",
      "isbn,title\n1,Emma\n\"2\",\"Orlando\na novel\"\n1,Persuasion\n,Flush\n,Ulysses\n2,Jacob\n"
    )
    let words = ["import", store.path, books, "--entity", "Book", "--yes"]
    let outcome = try Program.run(words)
    #expect(outcome.status == 1)
    #expect(
      outcome.output == """
          isbn → isbn
          title → title
        6 records read
          line 5: line 2 has the same isbn, which must be unique
          line 8: line 3 has the same isbn, which must be unique
        6 records read, 2 cannot be imported; nothing was imported

        """,
      "\(outcome.errors)"
    )
    let json = try Program.run(words + ["--json"]).json
    #expect(json["refusedCount"] as? Int == 2 && json["isSaved"] as? Bool == false)
    #expect((json["refused"] as? [[String: Any]])?.map { $0["line"] as? Int } == [5, 8])
    #expect(try Program.run(words + ["--duplicates", "keep"]).status == 0)
  }

  @Test func `a text of JSON that begins with U+FEFF lost it`() throws {
    let text = "{\"title\": \"\u{FEFF}a\u{FEFF}\"}"
    for (name, words) in [
      ("a.json", "\u{FEFF}[\(text)]"), ("a.jsonl", "\u{FEFF}\(text)\n"),
      ("b.json", #"[{"title": "\uFEFFa\uFEFF"}]"#),
      ("b.jsonl", "{\"price\": 1e0, \(text.dropFirst())"),
    ] {
      let outcome = try load(try file(name, words), "--yes")
      #expect(outcome.status == 0, "\(name): \(outcome.output)\(outcome.errors)")
    }
    #expect(
      try sql("SELECT hex(ZTITLE) FROM ZNOTE WHERE Z_PK > 3")
        == Array(repeating: "EFBBBF61EFBBBF", count: 4).joined(separator: "\n")
    )
    let broken = try load(try file("c.jsonl", "\(text)\n\u{FEFF}\(text)\n"), "--yes")
    #expect(broken.errors.contains("line 2 is not JSON"), "\(broken.errors)")
  }

  @Test func `a number that is too large was told of without its record`() throws {
    let array = #"[{"title": "1e400, \""}, {"title": "a", "stars": [1, 2]}, {"stars":1e400}]"#
    let outcome = try load(try file("large.json", array), "--yes")
    #expect(outcome.status == 1)
    #expect(outcome.errors == "record 3: the number 1e400 is too large to be read\n")
  }

  @Test func `a member of a relationship was to be compared while it was imported`() throws {
    let notes = try file("box.csv", "title,folder\na,7\n")
    let outcome = try load(notes, "--yes")
    #expect(outcome.output.contains("write it as \"Folder/p1\"\n"), "\(outcome.output)")
  }

  @Test(arguments: ["\n", "\r\n"])
  func `blank lines at the end of a single column became an empty object`(end: String) throws {
    let lines = ["title", "x", "", "\"\"", "y", "", ""]
    let notes = try file("one.csv", lines.map { $0 + end }.joined())
    let outcome = try load(notes, "--dry-run")
    #expect(outcome.output.contains("4 records read"), "\(outcome.output)\(outcome.errors)")
  }

  @Test func `twenty thousand lines are imported`() throws {
    var text = "title,stars\n"
    for number in 0..<20_000 { text += "Note \(number),\(number % 6)\n" }
    let outcome = try load(try file("many.csv", text), "--yes")
    #expect(outcome.output.hasSuffix("20,000 records read\nImported.\n"), "\(outcome.errors)")
    #expect(try sql("SELECT COUNT(*), SUM(ZSTARS) FROM ZNOTE WHERE Z_PK > 3").hasPrefix("20000,"))
  }
}

/// Authors with unique names, and books with unique numbers.
struct BookShelf {
  let path: String

  init() throws {
    func text(_ name: String) -> NSAttributeDescription {
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = .stringAttributeType
      return attribute
    }
    let (author, book) = (NSEntityDescription(), NSEntityDescription())
    (author.name, book.name) = ("Author", "Book")
    let (by, wrote) = (NSRelationshipDescription(), NSRelationshipDescription())
    (by.name, by.destinationEntity, by.maxCount) = ("author", author, 1)
    (wrote.name, wrote.destinationEntity) = ("books", book)
    (by.inverseRelationship, wrote.inverseRelationship) = (wrote, by)
    author.properties = [text("name"), wrote]
    author.uniquenessConstraints = [["name"]]
    book.properties = [text("isbn"), text("title"), by]
    book.uniquenessConstraints = [["isbn"]]
    let model = NSManagedObjectModel()
    model.entities = [author, book]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let file = ToolStore.temporaryFile("Books.sqlite")
    path = file.path
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: file
    )
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      for name in ["Austen", "Woolf"] {
        NSEntityDescription.insertNewObject(forEntityName: "Author", into: context).setValue(
          name,
          forKey: "name"
        )
      }
      try context.save()
    }
    try coordinator.remove(store)
  }
}
