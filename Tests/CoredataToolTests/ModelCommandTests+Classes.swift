import Foundation
import TestSupport
import Testing

/// The classes that `coredata model generate` and `compile` write.
extension ModelCommandTests {
  /// A model whose entities are plain managed objects, but for the value of one attribute.
  private func withoutClasses() throws -> URL {
    let url = TemporaryFolder.file("Plain.xcdatamodel")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try Data(
      """
      <model>
        <entity name="Book">
          <attribute name="cover" optional="YES" attributeType="Transformable" customClassName="Cover"/>
        </entity>
      </model>
      """.utf8
    ).write(to: url.appending(path: "contents"))
    return url
  }

  private func generate(
    _ model: String,
    into folder: URL,
    _ more: String...
  ) throws
    -> Program.Outcome
  {
    try Program.run(["model", "generate", model, "-o", folder.path] + more)
  }

  @Test func `classes are written`() throws {
    let folder = TemporaryFolder.file("Classes")
    let model = try versions().path
    let outcome = try Program.run(
      "model",
      "generate",
      model,
      "-o",
      folder.path,
      "--module",
      "Library"
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names == ["Note+CoreDataClass.swift", "Note+CoreDataProperties.swift"])
    #expect(outcome.output.split(separator: "\n").count == 2)
    let single = try Program.run(
      "model",
      "generate",
      model,
      "-o",
      folder.path,
      "--module",
      "Library",
      "--single-file"
    )
    #expect(single.output.hasSuffix("Notes+CoreDataModel.swift\n"))
  }

  @Test func `--all is not advised to somebody who has given it`() throws {
    let folder = TemporaryFolder.file("Generated")
    let model = try withoutClasses().path
    let without = try generate(model, into: folder, "--module", "Library")
    #expect(without.status == 1)
    #expect(
      without.errors.contains(
        "no entity has code generation turned on; --all writes a class for each"
      )
    )
    let outcome = try generate(model, into: folder, "--module", "Library", "--all")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let text = try String(
      contentsOf: folder.appending(component: "Book+CoreDataClass.swift"),
      encoding: .utf8
    )
    #expect(text.contains("class Book: NSManagedObject {}"))
    // These files are their owner's, and no build writes them again.
    #expect(text.hasPrefix("// Made from Plain.xcdatamodel by coredata model generate, to be kept"))
    #expect(!text.contains("Do not edit"))
  }

  @Test func `a class that generated code needs and has not is named`() throws {
    let folder = TemporaryFolder.file("Generated")
    let outcome = try generate(
      try withoutClasses().path,
      into: folder,
      "--module",
      "Library",
      "--all"
    )
    #expect(
      outcome.errors
        == "Cover, the class of Book.cover, is not among the files: write it, or give the attribute "
        + "another type in the code\n"
    )
  }

  @Test func `a class was missed that no generated code needs`() throws {
    let model = TemporaryFolder.file("Covers.xcdatamodel")
    let xml = """
      <model>
        <entity name="Note" representedClassName=".Note" codeGenerationType="class"/>
        <entity name="Book" representedClassName=".Book">
          <attribute name="cover" optional="YES" attributeType="Transformable" customClassName="Cover"/>
        </entity>
      </model>
      """
    try Data(xml.utf8).write(to: model)
    let folder = TemporaryFolder.file("Generated")
    let words = ["--module", "Library", "--single-file"]
    let command = ["model", "generate", model.path, "-o", folder.path] + words
    let outcome = try Program.run(command)
    #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
    // If nothing is written, no name of a file is printed, not even an empty one.
    try Data("mine".utf8).write(to: folder.appending(path: "Covers+CoreDataModel.swift"))
    let again = try Program.run(command)
    #expect(again.status == 0 && again.output == "", "\(again.output)")
  }

  @Test func `of a store the module of its classes is asked for, not a change of its model`() throws
  {
    let store = try ToolStore()
    let folder = TemporaryFolder.file("Generated")
    let outcome = try generate(store.path, into: folder, "--module", "Mine")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("give --module TestSupport"), "\(outcome.errors)")
    let right = try generate(store.path, into: folder, "--module", "TestSupport")
    #expect(right.status == 0, "\(right.errors)")
  }

  @Test func `a class with somebody's own code was written over`() throws {
    let folder = ToolStore.temporaryFile("classes")
    let words = [
      "model", "generate", Program.model, "-o", folder.path, "--module", "Notes", "--all",
    ]
    #expect(try Program.run(words).status == 0)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let file = folder.appending(component: try #require(files.first { $0.contains("Class") }))
    let own = try String(contentsOf: file, encoding: .utf8) + "// mine\n"
    try Data(own.utf8).write(to: file)
    let outcome = try Program.run(words)
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("already exists and was kept; --force replaces it"))
    #expect(try String(contentsOf: file, encoding: .utf8) == own)
    #expect(try Program.run(words + ["--force"]).status == 0)
    #expect(try String(contentsOf: file, encoding: .utf8) != own)
  }

  @Test func `compile knew fewer spellings of its options than every other command`() throws {
    let folder = TemporaryFolder.file("Build")
    let model = try versions().path
    let words = ["model", "compile", model, "--output=\(folder.path)", "--module=App"]
    let outcome = try Program.run(words + ["--single-file", "--json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let file = folder.appending(component: "Notes+CoreDataModel.swift")
    #expect(FileManager.default.fileExists(atPath: file.path))
    let twice = try Program.run(words + ["--module", "Other"])
    #expect(twice.status == 2)
    #expect(twice.errors.contains("model compile: --module is given twice"), "\(twice.errors)")
  }

  @Test(arguments: ["compile", "generate"])
  func `classes of a module that cannot be were written into a model, and never found`(
    verb: String
  ) throws {
    let folder = TemporaryFolder.file("Build")
    let words = ["model", verb, try versions().path, "-o", folder.path, "--module", "my-app"]
    let outcome = try Program.run(words)
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("'my-app' is no name of a module"), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func `a class of another module blocked the classes of this one`() throws {
    let model = TemporaryFolder.file("Mixed.xcdatamodel")
    let xml = """
      <model>
        <entity name="Note" representedClassName=".Note" codeGenerationType="class">
          <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Person"/>
        </entity>
        <entity name="Person" representedClassName="Contacts.Person" codeGenerationType="class"/>
        <entity name="Plain" codeGenerationType="none"/>
      </model>
      """
    try Data(xml.utf8).write(to: model)
    let folder = TemporaryFolder.file("Classes")
    let outcome = try Program.run(
      "model",
      "generate",
      model.path,
      "-o",
      folder.path,
      "--module",
      "App"
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      outcome.errors
        == "Contacts.Person, the class of Person, belongs to the module Contacts and was "
        + "not written; --module Contacts writes it\n"
    )
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names == ["Note+CoreDataClass.swift", "Note+CoreDataProperties.swift"])
    let text = try String(
      contentsOf: folder.appending(path: "Note+CoreDataProperties.swift"),
      encoding: .utf8
    )
    #expect(text.contains("Contacts.Person"))
  }
}
