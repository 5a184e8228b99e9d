import CoreData
import Foundation
import TestSupport
import Testing

/// `coredata model …`, run as a process.
struct ModelCommandTests {
  /// A model of two versions, as a source.
  func versions() throws -> URL {
    let url = TemporaryFolder.file("Notes.xcdatamodeld")
    for (name, attribute) in [("Notes", "name"), ("Notes 2", "title")] {
      let folder = url.appending(path: "\(name).xcdatamodel")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let identifier = attribute == "title" ? " elementID=\"name\"" : ""
      let tag = attribute == "title" ? "<entity name=\"Tag\"/>" : ""
      let stars = attribute == "title" ? "Integer 32" : "Integer 16"
      try Data(
        """
        <model>
          <entity name="Note" representedClassName=".Note" codeGenerationType="class">
            <attribute name="\(attribute)" optional="YES" attributeType="String"\(identifier)/>
            <attribute name="stars" optional="YES" attributeType="\(stars)"/>
          </entity>\(tag)
        </model>
        """.utf8
      ).write(to: folder.appending(path: "contents"))
    }
    return url
  }

  @Test func `a model is printed`() throws {
    let outcome = try Program.run("model", "print", Program.model, "--entity", "Tag")
    #expect(outcome.errors == "")
    #expect(
      outcome.output == """
        Tag
          name   String  required, length >= 1
          notes  [Note]  optional, ordered, inverse tags, Deny on deletion

        """
    )
  }

  @Test func `a store is a model too, and the same one`() throws {
    let stack = try NotesStack(.sqlite)
    let file = try #require(stack.file)
    let before = try Data(contentsOf: file)
    let hashes = try Program.run("model", "hash", Program.model)
    #expect(hashes.status == 0)
    #expect(try Program.run("model", "hash", file.path).output == hashes.output)
    let outcome = try Program.run("model", "print", file.path)
    #expect(outcome.output.hasPrefix("the model in the store \(file.lastPathComponent)\nchecksum "))
    let diff = try Program.run("model", "diff", Program.model, file.path, "--exit-code", "--json")
    #expect(try diff.json["needsMigration"] as? Bool == false)
    #expect(try Data(contentsOf: file) == before)
  }

  @Test func `JSON says the same as text`() throws {
    let json = try Program.run("model", "print", Program.model, "--json").json
    let entities = try #require(json["entities"] as? [[String: Any]])
    #expect(
      entities.compactMap { $0["name"] as? String } == [
        "Bin", "Checklist", "Folder", "Note", "Tag",
      ]
    )
    let note = try #require(entities.first { $0["name"] as? String == "Note" })
    let relationships = try #require(note["relationships"] as? [[String: Any]])
    #expect(relationships.first { $0["name"] as? String == "tags" }?["toMany"] as? Bool == true)
  }

  @Test func `the last two versions of a model are compared`() throws {
    let outcome = try Program.run("model", "diff", try versions().path)
    #expect(outcome.errors == "")
    #expect(
      outcome.output == """
        Notes → Notes 2

        Note
          ~ stars: type Integer 16 → Integer 32 (impossible)
          ~ title: renamed from name
          ~ title: renaming identifier none → name

        Tag
          + added

        A lightweight migration cannot do it:
          values of Note.stars are not converted from Integer 16 to Integer 32;
            add an attribute of another name and fill it in a custom or staged migration

        """
    )
    #expect(outcome.status == 0)
  }

  @Test func `a difference is a status when it is asked for`() throws {
    let model = try versions().path
    #expect(try Program.run("model", "diff", model, "--exit-code").status == 1)
    let same = try Program.run(
      "model",
      "diff",
      model,
      "--from",
      "Notes",
      "--to",
      "Notes",
      "--exit-code"
    )
    #expect(same.status == 0)
    #expect(same.output == "Notes → Notes\n\nThe models are the same.\n")
    let json = try Program.run("model", "diff", model, "--json").json
    #expect(json["verdict"] as? String == "impossible")
    let changes = try #require(json["changes"] as? [[String: Any]])
    #expect(changes.compactMap { $0["sentence"] as? String }.contains("Tag: added"))
  }

  @Test func `a version that is not there is answered with those there are`() throws {
    let model = try versions().path
    let outcome = try Program.run("model", "print", model, "--version", "Notes 3")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("no version 'Notes 3'; its versions are Notes, Notes 2"))
    #expect(
      try Program.run("model", "print", model, "--version", "Notes").output.contains(
        "name   String"
      )
    )
  }

  @Test func `a model is drawn`() throws {
    let file = TemporaryFolder.file("notes.svg")
    let outcome = try Program.run("model", "diagram", Program.model, "-o", file.path)
    #expect(outcome.status == 0 && outcome.output == "")
    let svg = try String(contentsOf: file, encoding: .utf8)
    #expect(svg.hasPrefix("<svg ") && svg.contains(">Checklist</text>"))
    #expect(try Program.run("model", "diagram", Program.model).output == svg)
    let mermaid = try Program.run("model", "diagram", Program.model, "--mermaid")
    #expect(mermaid.output.hasPrefix("classDiagram\n"))
    #expect(mermaid.output.contains("  Note <|-- Checklist\n"))
  }

  @Test func `the model of a store becomes a source with the same hashes`() throws {
    let stack = try NotesStack(.sqlite)
    let file = try #require(stack.file)
    let output = TemporaryFolder.file("Extracted.xcdatamodeld").path
    let outcome = try Program.run("model", "extract", file.path, "-o", output)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      try Program.run("model", "hash", output).output
        == Program.run("model", "hash", Program.model).output
    )
    let again = try Program.run("model", "extract", file.path, "-o", output)
    #expect(again.status == 1)
    #expect(again.errors.contains("--force replaces it"))
    #expect(try Program.run("model", "extract", file.path, "-o", output, "--force").status == 0)
  }

  @Test func `the end of an entity's name was cut off before its hash`() throws {
    let url = TemporaryFolder.file("Names.xcdatamodel")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let entities = ["ノート", "Pru\u{308}fungen"].map { "<entity name=\"\($0)\"/>" }.joined()
    try Data("<model>\(entities)</model>".utf8).write(to: url.appending(path: "contents"))
    let lines = try Program.run("model", "hash", url.path).output.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("Pru\u{308}fungen  ") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("ノート     ") }, "\(lines)")
  }

  @Test func `a picture was written over the store that was drawn`() throws {
    let store = try ToolStore()
    let before = try Data(contentsOf: store.file)
    for words in [[], ["--force"]] {
      let outcome = try Program.run(["model", "diagram", store.path, "-o", store.path] + words)
      #expect(outcome.status == 1)
      #expect(try Data(contentsOf: store.file) == before)
    }
    let picture = ToolStore.temporaryFile("Notes.svg")
    try Data("mine".utf8).write(to: picture)
    let outcome = try Program.run("model", "diagram", store.path, "-o", picture.path)
    #expect(outcome.status == 1 && outcome.errors.contains("--force replaces it"))
    #expect(try String(contentsOf: picture, encoding: .utf8) == "mine")
  }

  @Test func `a picture that cannot be written there is refused once, with the reason`() throws {
    let model = try versions().path
    let nowhere = try Program.run("model", "diagram", model, "-o", "nowhere/a.svg")
    #expect(nowhere.status == 1 && nowhere.errors.hasSuffix("/nowhere: there is no such folder\n"))
    let folder = TemporaryFolder.file("Folder")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let inside = try Program.run("model", "diagram", model, "-o", folder.path)
    #expect(inside.status == 1 && inside.errors.contains("is a folder; name the file, such as"))
  }

  @Test(arguments: ["print", "hash", "diff", "diagram", "extract", "generate"])
  func `a file that is no model is refused with a sentence`(verb: String) throws {
    let file = TemporaryFolder.file("notes.txt")
    try Data("notes".utf8).write(to: file)
    let more = verb == "generate" ? ["-o", TemporaryFolder.file("o").path, "--module", "M"] : []
    let outcome = try Program.run(["model", verb, file.path] + more)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("notes.txt: error: the file is not a model; give"))
    let missing = try Program.run(["model", verb, "nowhere.momd"] + more)
    #expect(missing.status == 1)
    #expect(missing.errors.contains("there is no such file"))
  }

  @Test(arguments: [
    (["diff", "a", "b", "c"], "model diff: unexpected 'c'"),
    (
      ["diagram", "a", "-o", "b", "--output=c"],
      "model diagram: -o and --output are the same; give one of them"
    ),
    (
      ["extract", "a", "--output", "b"],
      "model extract: -o needs a name that ends in .xcdatamodeld"
    ),
    (["extract", "a", "-o", "b"], "model extract: -o needs a name that ends in .xcdatamodeld"),
    (["generate", "a"], "model generate: -o is missing, the folder to write into"),
    (["print"], "model print: the path of a model is missing"),
  ])
  func `a wrong command line is status 2`(words: [String], sentence: String) throws {
    let outcome = try Program.run(["model"] + words)
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("coredata: \(sentence)"), "\(outcome.errors)")
  }

  // MARK: Models of apps that have been there for years

  @Test func `a version was refused because another one has no name in the list`() throws {
    let model = try versions()
    try Data().write(to: model.appending(path: ".xccurrentversion"))
    let named = try Program.run("model", "print", model.path, "--version", "Notes")
    #expect(named.status == 0 && named.errors == "", "\(named.errors)")
    #expect(named.output.hasPrefix("the model Notes, version Notes of 2\n"))
    let current = try Program.run("model", "print", model.path)
    #expect(current.status == 0)
    #expect(current.output.hasPrefix("the model Notes, version Notes 2, the current one of 2\n"))
    #expect(current.errors.contains("the last one, \"Notes 2\", is taken"), "\(current.errors)")
  }

  @Test(arguments: ["broken", "Xcode 3"])
  func `a version that nobody asked for blocked the others`(kind: String) throws {
    let model = try versions()
    let old = model.appending(path: "Notes.xcdatamodel")
    if kind == "broken" {
      try Data("<model".utf8).write(to: old.appending(path: "contents"))
    } else {
      try FileManager.default.moveItem(
        at: old.appending(path: "contents"),
        to: old.appending(path: "elements")
      )
    }
    for verb in ["print", "hash", "diagram"] {
      let outcome = try Program.run("model", verb, model.path)
      #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
    }
    let asked = try Program.run("model", "print", model.path, "--version", "Notes")
    #expect(asked.status == 1)
    if kind == "Xcode 3" {
      #expect(asked.errors.contains("not a model as Xcode 3 wrote it"), "\(asked.errors)")
    }
  }

  // MARK: Files that --force deletes

  @Test func `a folder that is no model was deleted by --force`() throws {
    let source = try versions()
    let compiled = TemporaryFolder.file("Build")
    let compilation = try Program.run(
      "model",
      "compile",
      source.path,
      "--output",
      compiled.path,
      "--module",
      "App"
    )
    #expect(compilation.status == 0, "\(compilation.errors)")
    let model = compiled.appending(path: "Notes.momd").path
    for path in ["letter.txt", "Notes.xcdatamodel/letter.txt", "Photos/1.jpeg"] {
      let target = TemporaryFolder.file("Mine.xcdatamodeld")
      let letter = target.appending(path: path)
      try FileManager.default.createDirectory(
        at: letter.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data("Dear".utf8).write(to: letter)
      let outcome = try Program.run("model", "extract", model, "-o", target.path, "--force")
      #expect(outcome.status == 1)
      #expect(
        outcome.errors.contains("what is there was not replaced: it holds "),
        "\(outcome.errors)"
      )
      #expect(try Data(contentsOf: letter) == Data("Dear".utf8))
    }
    let target = TemporaryFolder.file("Mine.xcdatamodeld")
    for _ in 1...2 {
      let outcome = try Program.run("model", "extract", model, "-o", target.path, "--force")
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    #expect(try Program.run("model", "print", target.path).status == 0)
  }

  @Test func `compiling replaces a model, and no other folder`() throws {
    let source = try versions()
    let folder = TemporaryFolder.file("Build")
    let letter = folder.appending(path: "Notes.momd/letter.txt")
    try FileManager.default.createDirectory(
      at: letter.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data("Dear".utf8).write(to: letter)
    let words = ["model", "compile", source.path, "--output", folder.path, "--module", "App"]
    let refused = try Program.run(words)
    #expect(refused.status == 1 && refused.errors.contains("it holds letter.txt"))
    #expect(try Data(contentsOf: letter) == Data("Dear".utf8))
    try FileManager.default.removeItem(at: letter)
    for _ in 1...2 { #expect(try Program.run(words).status == 0) }
  }
}
