import Foundation
import Testing

/// Stores of one file, which the tool makes itself.
struct OtherTypesTests {
  private let store: ToolStore
  private let folder: URL

  init() throws {
    store = try ToolStore()
    folder = store.file.deletingLastPathComponent()
  }

  private func copy(as type: String) throws -> String {
    let path = folder.appending(component: "Notes.\(type)").path
    let outcome = try Program.run("copy", store.path, path, "--as", type)
    try #require(outcome.status == 0, "\(outcome.errors)")
    return path
  }

  @Test(arguments: ["xml", "binary"])
  func `a store of another type is not said to be no database`(type: String) throws {
    let path = try copy(as: type)
    for command in [["inspect"], ["check"], ["sql"], ["repair", "--yes"]] {
      let outcome = try Program.run(command + [path])
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains(type == "xml" ? "is an XML store" : "is a binary store"))
      #expect(outcome.errors.contains("Note"), "\(outcome.errors)")
      #expect(outcome.errors.contains("coredata copy \(path) NEW.sqlite --as sqlite --model"))
    }
    let dump = try Program.run("dump", path)
    #expect(dump.status == 1 && dump.errors.contains("Give the application's model with --model"))
  }

  @Test(arguments: ["HUP", "TERM"], ["xml", "binary"])
  func `a conversion whose terminal was closed left its unfinished file`(
    signal: String,
    type: String
  ) throws {
    let large = try ToolStore(notes: 3_000)
    let outcome = try Program.shell(
      """
      cd '\(large.file.deletingLastPathComponent().path)'
      "$TOOL" copy Notes.sqlite Notes.\(type) --as \(type) & tool=$!
      until ls -A | grep -q unfinished || ! kill -0 $tool; do :; done
      kill -\(signal) $tool
      wait $tool
      echo "ended with $?"
      ls -A
      """
    )
    let lines = outcome.output.split(separator: "\n").map(String.init)
    // A copy that is faster than the signal is done.
    let isWhole = lines.contains("ended with 0")
    #expect(isWhole || lines.contains("ended with 1"), "\(lines) \(outcome.errors)")
    #expect(lines.contains("Notes.\(type)") == isWhole)
    #expect(!lines.contains { $0.contains("unfinished") })
    #expect(isWhole || outcome.errors.contains("interrupted; nothing was copied"))
  }

  @Test(arguments: ["xml", "binary"])
  func `a limit of the size of files ended a conversion, and left its unfinished file`(
    type: String
  ) throws {
    let large = try ToolStore(notes: 4_000)
    let place = large.file.deletingLastPathComponent()
    let copy = place.appending(component: "Copy.\(type)").path
    let outcome = try Program.shell(
      """
      ulimit -f 64
      "$TOOL" copy '\(large.path)' '\(copy)' --as \(type)
      echo "ended with $?"
      """
    )
    #expect(outcome.output == "ended with 1\n")
    #expect(
      outcome.errors == """
        \(copy) cannot be written, because the disk is full; make room in \(place.path), or name another place

        """
    )
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == ["Notes.sqlite"])
  }

  @Test(
    .enabled(if: Program.canMount, "needs the right to mount a file system"),
    arguments: [
      "copy Notes.sqlite disk/Copy --as xml", "copy Notes.sqlite disk/Copy --as binary",
      "copy Notes.sqlite disk/Copy", "copy Notes.sqlite disk/Copy --compact",
      "copy Notes.xml disk/Copy --as sqlite --model Notes.sqlite", "copy Notes.xml disk/Copy",
      "repair Notes.sqlite --salvage disk/Copy",
    ]
  )
  func `a full disk was told in words of the store, with the name of an unfinished file`(
    words: String
  ) throws {
    let large = try ToolStore(notes: 4_000)
    let outcome = try Program.shell(
      """
      cd '\(large.file.deletingLastPathComponent().path)'
      "$TOOL" copy Notes.sqlite Notes.xml --as xml > made || exit 9
      mkdir disk
      unshare -m bash -c '
        mount -t tmpfs -o size=128k none disk || exit 9
        "$TOOL" \(words)
        echo "ended with $?"
        ls -A disk
      '
      """
    )
    #expect(outcome.output == "ended with 1\n")
    #expect(outcome.errors.contains("disk/Copy cannot be written, because the disk is full"))
    #expect(!outcome.errors.contains(/unfinished|(SQLite error)/), "\(outcome.errors)")
  }

  @Test func `a conversion goes on where a closed terminal is ignored`() throws {
    let outcome = try Program.shell(
      """
      cd '\(folder.path)'
      trap '' HUP
      "$TOOL" copy Notes.sqlite Notes.xml --as xml & tool=$!
      for n in 1 2 3 4 5 6 7 8; do kill -HUP $tool; sleep 0.02; done
      wait $tool
      echo "ended with $?"
      """
    )
    #expect(outcome.output.hasSuffix("ended with 0\n"), "\(outcome.errors)")
  }

  @Test(arguments: ["xml", "binary"])
  func `objects of a store of another type are printed`(type: String) throws {
    let path = try copy(as: type)
    let outcome = try Program.run([
      "dump", path, "--model", store.path, "--entity", "Note", "--columns",
      "title,keywords,folder,tags", "--where", "created == \"2023-03-08\" AND title == 'Shopping'",
      "--format", "jsonl",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let json = try outcome.json
    #expect(json["title"] as? String == "Shopping")
    #expect(json["keywords"] as? [String] == ["a", "b"])
    #expect((json["tags"] as? [String])?.count == 2)
  }

  @Test(arguments: ["xml", "binary"])
  func `the model inside a store without one was told as a remedy`(type: String) throws {
    let path = try copy(as: type)
    let other = folder.appending(component: "Other.xcdatamodeld").path
    for words in [["new", other], ["add-entity", other, "Letter"]] {
      let made = try Program.run(["model"] + words)
      try #require(made.status == 0, "\(made.errors)")
    }
    let refused = try Program.run("dump", path, "--model", other)
    #expect(
      refused.status == 1 && !refused.errors.contains("inside the store"),
      "\(refused.errors)"
    )
    let helped = try Program.run("dump", store.path, "--model", other)
    #expect(helped.errors.contains("leave --model out to use the model inside the store"))
  }

  @Test(arguments: ["xml", "binary"])
  func `a store of another type becomes a SQLite store again`(type: String) throws {
    let path = try copy(as: type)
    let back = folder.appending(component: "Back.sqlite").path
    let words = ["copy", path, back, "--as", "sqlite", "--model", store.path]
    let outcome = try Program.run(words)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try Program.run("check", back, "--deep").output == "The store is sound.\n")
    let columns = ["--entity", "Note", "--columns", "title,created,image", "--sort", "title"]
    let rows = try [store.path, back].map { path in
      let csv = try Program.run(["dump", path, "--format", "csv"] + columns)
      return csv.output.split(separator: "\r\n").dropFirst().map { $0.drop { $0 != "," } }
    }
    #expect(rows[0] == rows[1] && rows[0].count == 3)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.contains { $0.contains("unfinished") }, "\(names)")
  }

  @Test func `an XML store could not be read without its model`() throws {
    let path = try copy(as: "xml")
    let refused = try Program.run("dump", path)
    #expect(refused.status == 1 && refused.errors.contains("--without-model"), "\(refused.errors)")
    let columns = ["--entity", "Note", "--columns", "title,created,image,folder,tags.@count"]
    let words = ["--sort", "title", "--format", "csv"]
    let rows = try [[store.path], [path, "--without-model"]].map { place in
      let csv = try Program.run(["dump"] + place + columns + words)
      #expect(csv.status == 0 && csv.errors == "", "\(csv.errors)")
      return csv.output.split(separator: "\r\n").dropFirst().map {
        $0.split(separator: ",", omittingEmptySubsequences: false).dropFirst().prefix(3)
      }
    }
    // A file does not show that a checklist is a note.
    #expect(rows[0].filter { $0.first != "Trip" } == rows[1] && rows[1].count == 2)
    let back = folder.appending(component: "Derived.sqlite").path
    let copied = try Program.run("copy", path, back, "--as", "sqlite", "--without-model")
    #expect(copied.status == 0, "\(copied.errors)")
    #expect(try Program.run("check", back).output.hasSuffix("The store is sound.\n"))
    for command in [["inspect"], ["check"]] {
      #expect(try Program.run(command + [path]).status == 1)
    }
  }

  @Test func `a copy of the same type is the same file`() throws {
    let path = try copy(as: "xml")
    let again = folder.appending(component: "Again.xml").path
    #expect(try Program.run("copy", path, again).status == 0)
    #expect(
      try Data(contentsOf: URL(filePath: again)) == Data(contentsOf: URL(filePath: path))
    )
  }
}
