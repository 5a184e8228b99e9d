import Foundation
import Testing

// MARK: - Protocols and overrides

extension PortTests {
  @Test func `an optional requirement gets a body in an extension, and its calls lose the mark`()
    throws
  {
    let text = """
      @objc protocol NotesDelegate {
        @objc optional func willChange(_ notes: Notes)
      }
      func tell() { delegate?.willChange?(self) }
      """
    #expect(
      try ported(text) == """
        protocol NotesDelegate: AnyObject {
          func willChange(_ notes: Notes)
        }

        extension NotesDelegate {
          func willChange(_ notes: Notes) {}
        }
        func tell() { delegate?.willChange(self) }
        """
    )
  }

  @Test(arguments: [
    ("@objc protocol A {}", "protocol A: AnyObject {}"),
    ("@objc(NotesA) public protocol A{}", "public protocol A: AnyObject{}"),
    ("@objc protocol A: NSObjectProtocol {}", "protocol A: NSObjectProtocol {}"),
    ("protocol A {}", "protocol A {}"),
  ])
  func `a protocol that Objective-C knew took no weak references any more`(
    before: String,
    after: String
  ) throws {
    #expect(try ported(before) == after)
  }

  @Test func `an override in an extension goes into the class, in whichever file that is`() throws {
    let `class` = "import CoreData\n\n@objc(Note)\npublic class Note: NSManagedObject {\n\n}\n"
    let folder = try folder([
      "Note.swift": `class`,
      "Notes.swift": """
      import CoreData

      extension Note {
        var stars: Int { 1 }

        /// Numbers it.
        public override func awakeFromInsert() {
          super.awakeFromInsert()
          setValue(1, forKey: #keyPath(Note.number))
        }
      }
      """,
    ])
    _ = try Program.run("port", folder.path, "--apply")
    let note = try String(contentsOf: folder.appending(component: "Note.swift"), encoding: .utf8)
    #expect(
      note == """
        import CoreData

        public class Note: NSManagedObject {

          /// Numbers it.
          public override func awakeFromInsert() {
            super.awakeFromInsert()
            setValue(1, forKey: "number")
          }
        }

        """
    )
    let again = try Program.run("port", folder.path)
    #expect(again.output == "")
    #expect(
      again.errors == "0 of 2 files would change; --apply changes them; nothing is left to decide\n"
    )
  }

  @Test func `an override of a class in another class went into that other class`() throws {
    let outer = "import CoreData\n\nclass Journal {\n  class Note: NSManagedObject {\n  }\n}\n"
    let member = "  override func willSave() {}\n"
    let text = "\(outer)\nextension Journal.Note {\n\(member)}\n"
    let moved = outer.replacing("NSManagedObject {\n", with: "NSManagedObject {\n\n\(member)")
    #expect(try ported(text) == "\(moved)\nextension Journal.Note {\n}\n")
  }

  @Test(arguments: [
    "extension Note { override func willSave() {} }\n",
    "extension Note {\n  override func willSave() {} }\n",
    "extension Note {\n  var stars: Int { 1 }; override func willSave() {}\n}\n",
  ])
  func `an extension went into its class with an override that has no line of its own`(
    text: String
  ) throws {
    let file = "import CoreData\n\nclass Note: NSManagedObject {\n}\n\n\(text)"
    let folder = try folder(["Notes.swift": file])
    let outcome = try Program.run("port", folder.path)
    #expect(outcome.output == "")
    #expect(outcome.errors.contains("give the override lines of its own"), "\(outcome.errors)")
  }

  @Test func `an override of a file that was named twice went into its class twice`() throws {
    let note = "import CoreData\n\nclass Note: NSManagedObject {\n}\n"
    let member = "  override func willSave() {\n  }\n"
    let folder = try folder(["Note.swift": note, "Other.swift": "extension Note {\n\(member)}\n"])
    let file = folder.appending(component: "Note.swift")
    let outcome = try Program.run("port", folder.path, "\(folder.path)/./Note.swift", "--apply")
    #expect(outcome.errors.hasPrefix("2 of 2 files changed; "), "\(outcome.errors)")
    let after = try String(contentsOf: file, encoding: .utf8)
    #expect(after.split(separator: "override").count == 2, "\(after)")
  }
}
