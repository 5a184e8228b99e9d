import Foundation
import Testing

/// A dump's values come in again.
extension ImportTests {
  @Test func `dates before October 1582 were read in another calendar than they are printed in`()
    throws
  {
    let days = [
      "0001-01-01", "0900-02-28", "1500-01-01", "1582-10-04", "1582-10-10", "1582-10-15",
      "9999-12-31",
    ]
    // The second spelling is not the plainest one, and is read by another reader.
    let lines = days.flatMap { ["\($0),\($0)T06:05:04Z", "\($0),\($0) 06:05:04 UTC"] }
    let notes = try file("old.csv", "title,created\n\(lines.joined(separator: "\n"))\n")
    #expect(try load(notes, "--yes").status == 0)
    for day in days {
      for moment in [day, "\(day)T06:05:04Z"] {
        let outcome = try Program.run(
          "dump",
          store.path,
          "--entity",
          "Note",
          "--where",
          "created == \"\(moment)\"",
          "--columns",
          "title,created",
          "--format",
          "csv"
        )
        let found = outcome.output.components(separatedBy: "\(day),\(day)T06:05:04Z").count - 1
        #expect(found == 2, "\(outcome.output)\(outcome.errors)")
      }
    }
    let changed = try Program.run(
      "set",
      store.path,
      "--entity",
      "Note",
      "--where",
      "title == \"Trip\"",
      "created=1582-10-10",
      "--yes"
    )
    #expect(changed.output.contains("→ 1582-10-10T00:00:00Z"), "\(changed.output)\(changed.errors)")
  }

  @Test func `dates that a dump has written were refused before year 1 and behind year 9999`()
    throws
  {
    let days = ["0000-12-30", "0000-02-29", "-0001-12-31", "-0044-03-15", "12345-06-07"]
    let lines = days.map { "\($0),\($0)T06:05:04Z" } + ["past,0000-12-30"]
    let notes = try file("far.csv", "title,created\n\(lines.joined(separator: "\n"))\n")
    let outcome = try load(notes, "--yes")
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    for day in days {
      let dump = try Program.run([
        "dump", store.path, "--entity", "Note", "--where",
        "title == \"\(day)\" AND created == \"\(day)\"", "--columns", "created", "--format", "csv",
      ])
      #expect(dump.output.hasSuffix(",\(day)T06:05:04Z\r\n"), "\(dump.output)\(dump.errors)")
    }
    let distantPast = Int(Date.distantPast.timeIntervalSinceReferenceDate)
    #expect(try sql("SELECT ZCREATED = \(distantPast) FROM ZNOTE WHERE ZTITLE = 'past'") == "1")
    for wrong in ["24-05-10", "20245", "20245-05", "-0044", "0000-00-00"] {
      let outcome = try load(try file("wrong.csv", "title,created\na,\(wrong)\n"), "--yes")
      #expect(outcome.output.contains("line 2: Note.created is a date"), "\(wrong)")
    }
  }

  @Test(arguments: ["csv", "json", "jsonl"])
  func `a date came back as another one of the same millionth of a second`(format: String) throws {
    let date = "2024-05-10T18:14:11.1234567Z"
    let notes = try file("date.csv", "title,created\nOn time,\(date)\n")
    #expect(try load(notes, "--yes").status == 0)
    let dump = try Program.run([
      "dump", store.path, "--entity", "Note", "--where", "created == \"\(date)\"", "--columns",
      "title,created", "--format", format,
    ])
    #expect(dump.output.contains(date), "\(dump.output)\(dump.errors)")
    let outcome = try load(file("again.\(format)", dump.output), "--map", "id=", "--yes")
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    let counts = "COUNT(*), COUNT(DISTINCT ZCREATED)"
    #expect(try sql("SELECT \(counts) FROM ZNOTE WHERE ZTITLE = 'On time'") == "2,1")
  }

  @Test(arguments: ["csv", "json", "jsonl"])
  func `infinite numbers that a dump has written were refused`(format: String) throws {
    let rating = "CASE ZTITLE WHEN 'Shopping' THEN 9e999 ELSE -9e999 END"
    let change = try Program.run(
      "sql",
      store.path,
      "UPDATE ZNOTE SET ZRATING = \(rating) WHERE ZTITLE IN ('Shopping', 'Trip')",
      "--write"
    )
    #expect(change.status == 0, "\(change.errors)")
    let both = "title IN {\"Shopping\", \"Trip\"}"
    let dump = try Program.run(
      ["dump", store.path, "--entity", "Note", "--where", both, "--columns", "title,rating"]
        + ["--format", format]
    )
    let outcome = try load(file("dump.\(format)", dump.output), "--map", "id=", "--yes")
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    let counts = try sql(
      "SELECT ZTITLE, COUNT(*) FROM ZNOTE WHERE ZRATING = \(rating) GROUP BY ZTITLE ORDER BY ZTITLE"
    )
    #expect(counts == "Shopping,2\nTrip,2")
  }

  @Test func `an infinite element of a composite attribute was refused`() throws {
    let path = try ToolStore.places()
    let places = try file("places.csv", "place.latitude\n-inf\n")
    let outcome = try Program.run(["import", path, places, "--entity", "Note", "--yes"])
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    let latitude = ["--entity", "Note", "--columns", "place.latitude", "--format", "csv"]
    #expect(try Program.run(["dump", path] + latitude).output.hasSuffix(",-inf\r\n"))
  }

  @Test(arguments: [
    ("rating", "NaN", "no value, and inf or -inf for what is infinite"),
    ("rating", "+Infinity", "no value, and inf or -inf for what is infinite"),
    ("price", "inf", "write nothing, or null in JSON, for no value"),
    ("stars", "nan", "write nothing, or null in JSON, for no value"),
  ])
  func `of a number that is none was not said what to write`(
    property: String,
    word: String,
    remedy: String
  ) throws {
    let notes = try file("numbers.csv", "title,\(property)\na,\(word)\n")
    let outcome = try load(notes, "--yes")
    #expect(outcome.status == 1)
    let output = outcome.output
    #expect(output.contains("line 2: Note.\(property) is a "), "\(output)\(outcome.errors)")
    #expect(output.contains("'\(word)' is not; ") && output.contains(remedy), "\(output)")
  }

  @Test func `of a word that is not JSON only the line was said`() throws {
    let lines = "{\"title\": \"a\"}\n{\"title\": \"Infinity\", \"rating\": NaN}\n"
    let refused = try load(try file("numbers.jsonl", lines), "--yes")
    #expect(refused.errors.contains("line 2: NaN is not JSON; write null"), "\(refused.errors)")
    let array = #"[{"title": "NaN"}, {"title": "b", "rating": -Infinity}]"#
    let other = try load(try file("numbers.json", array), "--yes")
    #expect(other.errors.contains("record 2: -Infinity is not JSON"), "\(other.errors)")
  }

  @Test(arguments: ["csv", "json", "jsonl"])
  func `data that a dump has written were refused`(format: String) throws {
    // JSON shows an archive's values, and CSV has its bytes.
    let columns = format == "csv" ? "title,image,keywords" : "title,image"
    let dump = try Program.run([
      "dump", store.path, "--entity", "Note", "--where", "title == \"Shopping\"", "--columns",
      columns, "--format", format,
    ])
    let outcome = try load(file("dump.\(format)", dump.output), "--map", "id=", "--yes")
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    let counts = try sql(
      "SELECT COUNT(ZIMAGE), COUNT(DISTINCT ZIMAGE), COUNT(ZKEYWORDS), COUNT(DISTINCT ZKEYWORDS) "
        + "FROM ZNOTE WHERE ZTITLE = 'Shopping'"
    )
    #expect(counts == (format == "csv" ? "2,1,2,1" : "2,1,1,1"))
  }

  @Test(arguments: ["csv", "json", "jsonl"])
  func `a related object as a dump names it in JSON was refused`(format: String) throws {
    let dump = try Program.run([
      "dump", store.path, "--entity", "Note", "--where", "title == \"Shopping\"", "--columns",
      "title,folder", "--format", format,
    ])
    let outcome = try load(file("dump.\(format)", dump.output), "--map", "id=", "--yes")
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    #expect(
      try sql("SELECT COUNT(*) FROM ZNOTE WHERE ZTITLE = 'Shopping' AND ZFOLDER = 1") == "2"
    )
    let text = try file("text.json", #"[{"title": {"id": "Folder/p1"}}]"#)
    let refused = try load(text, "--yes")
    #expect(refused.output.contains("record 1: Note.title: a list or an object cannot be imported"))
  }

  @Test(arguments: [
    (#" [ {"title": "a]},[{\"\\"} , {"title":null, "stars" : 3}]  "#, "2 records read"),
    ("[]", "0 records read"), ("[{}\n,{}\n]\n", "2 records read"),
    (#"[{"title": "a"},]"#, "1 record read"),
    (#"[{"title": "a"} {"title": "b"}]"#, "the file is not JSON"),
    (#"[{"title": "a"}"#, "the file is not JSON"), (#"[{"title": "a"}] 1"#, "the file is not JSON"),
    (#"[{"title": "a"}, 7]"#, "record 2 is not an object"),
    (#"{"title": "a"}"#, "the file is not an array of objects"),
  ])
  func `an array of objects is read object by object, as a parser of the whole reads it`(
    text: String,
    words: String
  ) throws {
    let outcome = try load(try file("array.json", text), "--dry-run")
    #expect((outcome.output + outcome.errors).contains(words), "\(outcome.output)\(outcome.errors)")
  }

  @Test func `large data that were imported stayed in their row`() throws {
    let image = Data(repeating: 9, count: 200_000).base64EncodedString()
    let notes = try file("large.json", "[{\"title\": \"Large\", \"image\": \"\(image)\"}]")
    let folder = store.file.deletingLastPathComponent()
      .appending(path: ".Notes_SUPPORT/_EXTERNAL_DATA")
    #expect(try load(notes, "--dry-run").status == 0)
    #expect(FileManager.default.subpaths(atPath: folder.path)?.isEmpty ?? true)
    #expect(try load(notes, "--yes").status == 0)
    #expect(FileManager.default.subpaths(atPath: folder.path)?.count == 1)
    let dump = try Program.run([
      "dump", store.path, "--entity", "Note", "--where", "title == \"Large\"", "--columns", "image",
      "--format", "jsonl",
    ])
    #expect(try dump.json["image"] as? String == image)
    #expect(try Program.run("check", store.path, "--deep").output == "The store is sound.\n")
  }

  @Test(arguments: ["csv", "json", "jsonl"])
  func `elements of composite attributes as a dump has them were refused`(format: String) throws {
    let path = try ToolStore.places()
    let words = ["dump", path, "--entity", "Note", "--format"]
    let dump = try Program.run(words + [format])
    let values = ["import", path, "--entity", "Note", "--map", "id=", "--yes"]
    let outcome = try Program.run(values + [file("places.\(format)", dump.output)])
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    let columns = ["--columns", "place.latitude,place.label,place.address.city"]
    let lines = try Program.run(words + ["csv"] + columns).output.split(separator: "\r\n")
    let rows = lines.dropFirst().map { $0.drop(while: { $0 != "," }) }
    #expect(rows == [",47.5,nil,Zug", ",47.5,nil,Zug"], "\(lines)")
    let wrong = try file("wrong.csv", "place.latitude,place.address.city\nnorth,Zug\n")
    let refused = try Program.run(values + [wrong])
    let sentence = "line 2: Note.place.latitude is a number; 'north' is not"
    #expect(refused.output.contains(sentence), "\(refused.output)\(refused.errors)")
    let part = try file("part.csv", "place.label\nLake\n")
    let updated = try Program.run(values + [part, "--duplicates", "update"])
    #expect(updated.output.contains("Note.place is updated as a whole"), "\(updated.output)")
  }

  @Test(arguments: [
    ("place.latitud", "Note.place has no element 'latitud'; did you mean 'latitude'?\nIts "),
    ("place.address.street", "Note.place.address has no element 'street'\nIts elements are city."),
    ("place.latitude.x", "Note.place.latitude has the type Double, and no elements"),
    ("place.address", "is a composite attribute; its elements are place.address.city"),
    ("plaze.label", "Note has no property 'plaze.label'"),
  ])
  func `a column that is no element was told as no property`(
    column: String,
    sentence: String
  ) throws {
    let path = try ToolStore.places()
    let unknown = try file("unknown.csv", "\(column)\nA\n")
    let outcome = try Program.run(["import", path, unknown, "--entity", "Note", "--dry-run"])
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    #expect(outcome.errors.contains("or leave it out with --map '\(column)='"))
    let whole = try file("whole.json", #"[{"place": {"latitude": 1}}]"#)
    let refused = try Program.run(["import", path, whole, "--entity", "Note", "--dry-run"])
    #expect(refused.output.contains("Note.place is a composite attribute; name one of its"))
  }

  @Test(arguments: ["csv", "json"])
  func `each record was refused for a column that leads to several objects`(format: String) throws {
    let dump = try Program.run([
      "dump", store.path, "--entity", "Note", "--columns", "title,tags", "--format", format,
    ])
    let outcome = try load(file("tags.\(format)", dump.output), "--map", "id=", "--yes")
    #expect(outcome.status == 1 && outcome.output == "")
    #expect(
      outcome.errors
        == """
        Note.tags leads to several objects, and cannot be imported
        Leave the column out, with --map 'tags='.

        """
    )
  }

  @Test func `the archive of an element of a composite attribute was archived again`() throws {
    let path = try ToolStore.places()
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: ["a", "b"] as NSArray,
      requiringSecureCoding: true
    ).base64EncodedString()
    let note = ["--entity", "Note", "--yes"]
    let notes = try file("words.csv", "place.words\n\(archive)\n")
    let imported = try Program.run(["import", path, notes] + note)
    #expect(imported.status == 0, "\(imported.output)\(imported.errors)")
    let everything = ["--where", "TRUEPREDICATE", "place.words=\(archive)"]
    let changed = try Program.run(["set", path] + note + everything)
    #expect(changed.output.contains("2 objects found, 1 to change"), "\(changed.output)")
    let words = ["dump", path, "--entity", "Note", "--columns", "place.words", "--format", "jsonl"]
    let lines = try Program.run(words).output.split(separator: "\n")
    let expected = [1, 2].map { "{\"id\":\"Note/p\($0)\",\"place.words\":[\"a\",\"b\"]}" }
    #expect(lines.map(String.init) == expected)
  }

  @Test(arguments: ["json", "jsonl"])
  func `an archive in JSON could not be imported again`(format: String) throws {
    let dump = try Program.run([
      "dump", store.path, "--entity", "Note", "--where", "title == \"Shopping\"", "--columns",
      "title,keywords", "--format", format, "--archives",
    ])
    let outcome = try load(file("dump.\(format)", dump.output), "--map", "id=", "--yes")
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    let counts = "COUNT(ZKEYWORDS), COUNT(DISTINCT ZKEYWORDS)"
    #expect(try sql("SELECT \(counts) FROM ZNOTE WHERE ZTITLE = 'Shopping'") == "2,1")
    let words = ["dump", store.path, "--archives", "--format"]
    for other in ["csv", "table"] {
      let refused = try Program.run(words + [other, "--entity", "Note"])
      #expect(refused.status == 2)
      #expect(refused.errors.contains("dump: --archives is for --format json and jsonl"))
    }
  }

  @Test func `of an archive in JSON was not said which dump has it`() throws {
    let dump = try Program.run([
      "dump", store.path, "--entity", "Note", "--where", "title == \"Shopping\"", "--columns",
      "keywords", "--format", "json",
    ])
    let outcome = try load(file("keywords.json", dump.output), "--map", "id=", "--yes")
    #expect(outcome.status == 1)
    let sentence = "record 1: Note.keywords: JSON shows what an archive holds"
    #expect(outcome.output.contains(sentence), "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.contains("coredata dump --archives writes them"))
  }
}
