import Foundation
import TestSupport
import Testing

/// `coredata port`, run as a process.
struct PortTests {
  /// A folder with Swift files.
  func folder(_ files: [String: String]) throws -> URL {
    let folder = TemporaryFolder.file("Port-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in files {
      try Data(text.utf8).write(to: folder.appending(component: name))
    }
    return folder
  }

  /// A file after porting.
  func ported(_ text: String, among others: [String: String] = [:]) throws -> String {
    let folder = try folder(others.merging(["Notes.swift": text]) { $1 })
    let outcome = try Program.run("port", folder.path, "--apply")
    #expect(outcome.status == 0)
    return try String(contentsOf: folder.appending(component: "Notes.swift"), encoding: .utf8)
  }

  static let changes: [(String, String)] = [
    ("@objc(Note)\npublic class Note: NSObject {}", "public class Note: NSObject {}"),
    (
      "@objcMembers class Note {\n  @objc dynamic var stars = 0\n}",
      "class Note {\n  var stars = 0\n}"
    ),
    ("@objc enum Kind: Int16 { case a }", "enum Kind: Int16 { case a }"),
    // Such code was written that does not compile.
    (
      "import CoreData\nclass A: NSManagedObject { private override init(entity: E, insertInto c: C?) {} }",
      "import CoreData\nclass A: NSManagedObject { required override init(entity: E, insertInto c: C?) {} }"
    ),
    (
      "import CoreData\npublic class A: NSManagedObject { override private init(entity: E, insertInto c: C?) {} }",
      "import CoreData\npublic class A: NSManagedObject { required override public init(entity: E, insertInto c: C?) {} }"
    ),
    (
      "import CoreData\npublic class A: NSManagedObject {\n}\n\npublic extension A {\n  override func willSave() {}\n}",
      "import CoreData\npublic class A: NSManagedObject {\n\n  public override func willSave() {}\n}\n\npublic extension A {\n}"
    ),
    (
      "import CoreData\nclass A: NSManagedObject {\n  init(name: String) { super.init(entity: A.entity(), insertInto: nil) }\n}",
      """
      import CoreData
      class A: NSManagedObject {
        init(name: String) { super.init(entity: A.entity(), insertInto: nil) }

        required override init(
          entity: NSEntityDescription,
          insertInto context: NSManagedObjectContext?
        ) {
          super.init(entity: entity, insertInto: context)
        }
      }
      """
    ),
    // Classes that only name managed objects in their generics got a managed object's initializer.
    (
      "import CoreData\nclass Watch<T: NSManagedObject>: NSObject {\n  init(owner: T) {}\n}",
      "import CoreData\nclass Watch<T: NSManagedObject>: NSObject {\n  init(owner: T) {}\n}"
    ),
    (
      "import CoreData\nclass Watch<T: NSManagedObject> {\n  init(owner: T) {}\n}",
      "import CoreData\nclass Watch<T: NSManagedObject> {\n  init(owner: T) {}\n}"
    ),
    (
      "center.addObserver(self, selector: #selector(self.heard(note:)), name: n, object: nil)",
      "_ = center.addObserver(forName: n, object: nil, queue: nil) { [weak self] notification in"
        + " self?.heard(note: notification) }"
    ),
    (
      #"let url = Bundle(for: Store.self).url(forResource: "Notes", withExtension: "momd")"#,
      #"let url = Bundle.module.url(forResource: "Notes", withExtension: "momd")"#
    ),
    (
      #"let url = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "g")"#,
      "import CoreData\nlet url = Optional(NSPersistentContainer.defaultDirectoryURL())"
    ),
    (
      "class A { var tags: NSSet? }\nfunc f(a: A) { a.tags = [1, 2] }",
      "class A { var tags: NSSet? }\nfunc f(a: A) { a.tags = NSSet(array: [1, 2]) }"
    ),
    // Variables of the same name got a set that did not compile.
    (
      "class A { var tags: NSSet? }\nfunc f(a: A) { var tags = [Int](); tags = [Int]() }",
      "class A { var tags: NSSet? }\nfunc f(a: A) { var tags = [Int](); tags = [Int]() }"
    ),
    (
      "class A { var tags: NSSet? }\nfunc f(a: A) { let tags = [1] }",
      "class A { var tags: NSSet? }\nfunc f(a: A) { let tags = [1] }"
    ),
    (
      "import Foundation\nfinal class UIAssembly {}\nlet all = UIAssembly()",
      "import Foundation\nfinal class UIAssembly {}\nlet all = UIAssembly()"
    ),
    ("let key = #keyPath(Note.folder.name)", "let key = \"folder.name\""),
    (
      "let key = #keyPath(title) // #keyPath(Note.title)",
      "let key = \"title\" // #keyPath(Note.title)"
    ),
    (
      #"let format = "\(#keyPath(Note.folder.name)) == %@ OR \(#keyPath(title)) == nil""#,
      #"let format = "folder.name == %@ OR title == nil""#
    ),
    (
      ##"let text = #"\#(#keyPath(Note.title)) == \(1)"#"##,
      ##"let text = #"title == \(1)"#"##
    ),
    ("import CoreData.CoreDataDefines\nlet a = 1", "import CoreData\nlet a = 1"),
    ("import class Foundation.NSDate\nlet a = 1", "import class Foundation.NSDate\nlet a = 1"),
    (
      ##"let text = #"\(#keyPath(Note.title))"# + "\\(#keyPath(Note.title))""##,
      ##"let text = #"\(#keyPath(Note.title))"# + "\\(#keyPath(Note.title))""##
    ),
    (
      "class Note {\n  override init(entity: E, insertInto: C?) {}\n  init(entity: E) {}\n}",
      "class Note {\n  required override init(entity: E, insertInto: C?) {}\n  init(entity: E) {}\n}"
    ),
    (
      "let all = Bundle.main.urls(forResourcesWithExtension: \"mom\", subdirectory: nil)",
      "let all = Bundle.module.urls(forResourcesWithExtension: \"mom\", subdirectory: nil)"
    ),
    ("let start = CFAbsoluteTimeGetCurrent()", "let start = Date().timeIntervalSinceReferenceDate"),
    (
      "x(selector: #selector(NSString.localizedStandardCompare(_:)))",
      "x(selector: Selector(\"localizedStandardCompare:\"))"
    ),
    (
      "let url = Bundle.main.url(forResource: \"Notes\", withExtension: \"momd\")",
      "let url = Bundle.module.url(forResource: \"Notes\", withExtension: \"momd\")"
    ),
    (
      "let isOfOthers = author == \"NSCloudKitMirroringDelegate.import\"",
      "let isOfOthers = author == \"CoreDataSync\""
    ),
    (
      "#if canImport(CloudKit)\nlet share: CKShare? = nil\n#endif",
      "#if canImport(CloudKit)\nlet share: CKShare? = nil\n#endif"
    ),
  ]

  @Test(arguments: changes)
  func `what Linux does not compile is rewritten`(before: String, after: String) throws {
    #expect(try ported(before) == after)
  }

  @Test func `an initializer was required once more with each run`() throws {
    let text = "class Note {\n  required override init(entity: E, insertInto: C?) {}\n}"
    #expect(try ported(text) == text)
    let other = "class Note {\n  override required init(entity: E, insertInto: C?) {}\n}"
    #expect(try ported(other) == other)
  }

  @Test func `imports of Apple's frameworks become those that are needed`() throws {
    #expect(
      try ported("import UIKit\n\nstruct Note {}\n") == "import Foundation\n\nstruct Note {}\n"
    )
    #expect(
      try ported("import Combine\nimport UIKit\n\nclass Note: NSManagedObject {}\n")
        == "import CoreData\n\nclass Note: NSManagedObject {}\n"
    )
    let predicate = "import Foundation\n\nlet all = NSPredicate(value: true)\n"
    #expect(
      try ported(predicate)
        == "import Foundation\nimport CoreData\n\nlet all = NSPredicate(value: true)\n"
    )
    let conditional = "#if canImport(UIKit)\nimport UIKit\n#endif\n"
    #expect(try ported(conditional) == conditional)
    #expect(
      try ported("import SwiftData\nimport SwiftUI\n\n@Model class Note: ObservableObject {}\n")
        == "import SwiftData\nimport Combine\n\n@Model class Note: ObservableObject {}\n"
    )
  }

  @Test(arguments: [
    ("import os.log\n", "import Foundation\n"),
    ("import struct SwiftUI.Color\n", "import Foundation\n"),
    ("import Foundation\nimport os.log\n", "import Foundation\n"),
    ("import Foundation\n@preconcurrency import Combine\n", "import Foundation\n"),
    ("import Foundation\npublic import Combine\n", "import Foundation\n"),
    ("@testable import Notes\n", "@testable import Notes\n"),
  ])
  func `a part of an import was left where there is more than a module's name`(
    before: String,
    after: String
  ) throws {
    #expect(try ported("\(before)\nstruct Note {}\n") == "\(after)\nstruct Note {}\n")
  }

  @Test func `Core Data was imported only where there is another framework`() throws {
    let conditional = "#if canImport(UIKit)\nimport UIKit\n#endif\n"
    let code = "\nlet all = NSPredicate(value: true)\n"
    #expect(
      try ported("import Foundation\n\(conditional)\(code)")
        == "import Foundation\nimport CoreData\n\(conditional)\(code)"
    )
    #expect(try ported("\(conditional)\(code)") == "import CoreData\n\(conditional)\(code)")
  }

  @Test(.enabled(if: Program.hasTerminal))
  func `a source file controlled the terminal of whoever looked at its changes`() throws {
    let file = ToolStore.temporaryFile("Notes.swift")
    let text = "import UIKit\n\n// \u{1B}]0;title\u{7}\n\tlet note = 1\n"
    try Data(text.utf8).write(to: file)
    let seen = try Program.seen("coredata port \(file.path)")
    #expect(seen.contains("-import UIKit\n"), "\(seen)")
    #expect(seen.contains("// ␛]0;title␇\n") && seen.contains("     let note = 1\n"), "\(seen)")
    #expect(!seen.contains("\u{1B}]0;"))
    // The file for patch has the text of the source.
    #expect(try Program.run("port", file.path).output.contains("// \u{1B}]0;title\u{7}\n"))
  }

  @Test func `an observer of a notification becomes a closure`() throws {
    let text = """
      func start() {
        NotificationCenter.default.addObserver(self,
                                               selector: #selector(changed(_:)),
                                               name: .NSManagedObjectContextDidSave,
                                               object: context)
      }
      """
    #expect(
      try ported("import CoreData\n" + text) == """
        import CoreData
        func start() {
          _ = NotificationCenter.default.addObserver(forName: .NSManagedObjectContextDidSave, object: context, \
        queue: nil) { [weak self] notification in self?.changed(notification) }
        }
        """
    )
  }

  @Test func `without --apply the changes are a diff that patch takes, and no file changes`() throws
  {
    let text = "import CoreData\n\n@objc(Note)\nclass Note: NSManagedObject {}\n"
    let folder = try folder(["Notes.swift": text])
    let outcome = try Program.run("port", folder.path)
    let path = String(folder.path.dropFirst()) + "/Notes.swift"
    #expect(
      outcome.output == """
        --- a/\(path)
        +++ b/\(path)
        @@ -1,4 +1,3 @@
         import CoreData
         
        -@objc(Note)
         class Note: NSManagedObject {}

        """
    )
    #expect(
      try String(contentsOf: folder.appending(component: "Notes.swift"), encoding: .utf8) == text
    )
  }

  @Test func `a file with the line ends of Windows gave a patch that was none`() throws {
    let text = """
      import UIKit

      @objc(Note)
      class Note: NSManagedObject {
      }

      """.replacing("\n", with: "\r\n")
    let folder = try folder(["Notes.swift": text])
    let path = String(folder.path.dropFirst()) + "/Notes.swift"
    let lines = [
      "-import UIKit", "+import CoreData", " ", "-@objc(Note)", " class Note: NSManagedObject {",
      " }",
    ]
    #expect(
      try Program.run("port", folder.path).output
        == "--- a/\(path)\n+++ b/\(path)\n@@ -1,5 +1,4 @@\n"
        + lines.map { "\($0)\r\n" }.joined()
    )
    let after = "import CoreData\n\nclass Note: NSManagedObject {\n}\n"
    #expect(try ported(text) == after.replacing("\n", with: "\r\n"))
  }

  @Test func `what goes into a file has the line ends of that file`() throws {
    let member = "\n  override func prepareForDeletion() {\n    stop()\n  }\n"
    let (note, other) = ("class Note: NSManagedObject {\n\n}\n", "extension Note {\(member)}\n")
    let imported = "import CoreData\n"
    let ends = ["\n", "\r\n"]
    for (own, others) in zip(ends, ends.reversed()) {
      let moved = try ported(
        (imported + note).replacing("\n", with: own),
        among: ["Other.swift": (imported + other).replacing("\n", with: others)]
      )
      let expected = "import CoreData\nclass Note: NSManagedObject {\n\(member)}\n"
      #expect(moved == expected.replacing("\n", with: own))
    }
  }

  @Test(arguments: [
    ("import CoreData\n\nclass Note: NSManagedObject {}\n", "import CoreData\n\n"),
    ("import UIKit\n\nclass Note: NSManagedObject {}\n", "import CoreData\n\n"),
    ("class Note: NSManagedObject {}\n", "import CoreData\n"),
  ])
  func `a file with the mark of its encoding got another import before it`(
    text: String,
    head: String
  ) throws {
    let folder = try folder(["Notes.swift": "\u{FEFF}\(text)"])
    #expect(try Program.run("port", folder.path, "--apply").status == 0)
    let bytes = try Data(contentsOf: folder.appending(component: "Notes.swift"))
    #expect(bytes == Data("\u{FEFF}\(head)class Note: NSManagedObject {}\n".utf8))
  }

  @Test func `a file that is no Swift file was read as one`() throws {
    let file = ToolStore.temporaryFile("Notes.m")
    try Data("@objc".utf8).write(to: file)
    let outcome = try Program.run("port", file.path, "--apply")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("Notes.m is no Swift file; name Swift files"))
    #expect(try String(contentsOf: file, encoding: .utf8) == "@objc")
  }

  @Test func `a path without Swift files is refused`() throws {
    let outcome = try Program.run("port", "/nowhere/at/all")
    #expect(outcome.status == 1)
    #expect(outcome.errors == "/nowhere/at/all: there is no such file or folder\n")
  }
}
