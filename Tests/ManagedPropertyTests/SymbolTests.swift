import ChildPrograms
import CoreDataSwiftCode
import Foundation
import Testing

@testable import CoreDataModelCompiler

/// The symbols that the compiler wants for `@NSManaged` members beside those that we make.
///
/// Which symbols it wants is not written down anywhere, so each test asks the compiler that runs it.
struct SymbolTests {
  @Test func `every shape of member has the symbols that the compiler wants`() throws {
    try expectSame(Self.shapes)
  }

  @Test func `every type that is known by name has the symbol that the compiler wants`() throws {
    let names =
      KnownTypes.letters.keys.sorted() + KnownTypes.integers.sorted()
      + KnownTypes.essentials.sorted()
      + KnownTypes.others.keys.sorted() + KnownTypes.coreData.sorted()
    let optional = names.flatMap { [$0, "\($0)?", "[\($0)]?"] }
    let protocols = KnownTypes.protocols.keys.sorted().map { "(any \($0))?" }
    let classes = [
      "NSNumber", "NSDecimalNumber", "NSDate", "NSData", "NSURL", "NSUUID", "NSString",
    ]
    let others = [
      "NSArray", "NSDictionary", "NSSet", "NSOrderedSet", "NSObject", "NSAttributedString",
    ]
    let collections = ["Set<Int>", "[String: [Date: Any]]", "Range<Int>", "ClosedRange<Date>?"]
    let members = (optional + protocols + classes + others + collections).enumerated()
      .map { "  @NSManaged var v\($0): \($1)" }
    try expectSame(
      """
      import CoreData
      import Foundation
      class Specimen: NSManagedObject {
      \(members.joined(separator: "\n"))
      }
      """
    )
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `names of many words and alphabets have the symbols that the compiler wants`(
    seed: UInt64
  ) throws {
    var names = RandomNames(seed: seed)
    let members = (0..<60).map { _ in
      let type = names.type()
      return "  @NSManaged \(names.access()) var \(names.name()): \(type)"
    }
    try expectSame(
      """
      import CoreData
      import Foundation
      enum NoteKind { struct DeepNoteKind {} }
      struct FolderData { enum Kind { case folder } }
      final class Überschrift: NSManagedObject {}
      class FolderNoteData: NSManagedObject {
      \(members.joined(separator: "\n"))
      }
      """
    )
  }
}

// MARK: - The compiler's word

extension SymbolTests {
  private func expectSame(_ source: String) throws {
    let folder = URL.temporaryDirectory.appending(component: "Symbols-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let module = "NoteWords"
    let file = folder.appending(component: "Notes+Words.swift")
    try Data(source.utf8).write(to: file)
    let made = Self.made(from: source, path: file.path, module: module)
    #expect(made.errors == [])
    #expect(Set(made.symbols).count == made.symbols.count)
    let wanted = try Self.wanted(by: file, module: module, in: folder)
    #expect(!wanted.isEmpty)
    #expect(Set(made.symbols).subtracting(wanted) == [])
    #expect(wanted.subtracting(made.symbols) == [])
  }

  private static func made(from source: String, path: String, module: String) -> ManagedFile {
    let file = SwiftSourceFile(Array(source.utf8), path: path)
    var types = TypeDirectory(module: module)
    types.add(file.declarations, of: module)
    let other = SwiftSourceFile(Array(coreData.utf8), path: "CoreData.swift")
    types.add(other.declarations, of: "CoreData")
    return ManagedFile(of: [file], types: types, models: ManagedModels())
  }

  /// A replacement for the framework, so that the compiler needs nothing that was built.
  private static let coreData = """
    @_exported import Foundation
    open class NSManagedObject: NSObject {}
    open class NSManagedObjectID: NSObject {}
    open class NSManagedObjectContext: NSObject {}
    open class NSEntityDescription: NSObject {}
    open class NSManagedObjectModel: NSObject {}
    open class NSPersistentStore: NSObject {}
    open class SharedNote: NSManagedObject { public enum Kind { case note } }
    """

  /// The functions that the compiler calls and nobody defines.
  private static func wanted(by file: URL, module: String, in folder: URL) throws -> Set<String> {
    let framework = folder.appending(component: "CoreData.swift")
    try Data(coreData.utf8).write(to: framework)
    try compile(["-module-name", "CoreData", "-emit-module", framework.path], in: folder)
    let sil = folder.appending(component: "words.sil")
    try compile(
      ["-module-name", module, "-wmo", "-I", folder.path, "-emit-sil", file.path, "-o", sil.path],
      in: folder
    )
    let text = try String(contentsOf: sil, encoding: .utf8)
    let pattern = /^sil (?:\w+ )?\[dynamically_replacable\] @(\S+) :/.anchorsMatchLineEndings()
    return Set(text.matches(of: pattern).map { String($0.1) })
  }

  private static func compile(_ arguments: [String], in folder: URL) throws {
    let outcome = try ChildProgram.run(
      URL(filePath: "/usr/bin/env"),
      ["swiftc", "-parse-as-library"] + arguments,
      in: folder
    )
    try #require(
      outcome.status == 0,
      "swiftc \(arguments.joined(separator: " ")): \(outcome.errors)"
    )
  }
}

// MARK: - Sources

extension SymbolTests {
  private static let shapes = #"""
    import CoreData
    import Foundation

    enum Kind: Int16 { case a, b }
    struct Place { enum Kind { case here } }
    typealias Words = [String: [Kind]]
    typealias Many<Element> = [Element]

    public class Note: NSManagedObject {
      @NSManaged public var title: String?
      @NSManaged var one, two: Int16, three: Date!
      @NSManaged @available(*, deprecated) open var old: Bool
      @NSManaged
      public internal(set) var later: UUID?
      @NSManaged var kind: Kind, inner: Place.Kind?, words: Words, own: Inner?
      @NSManaged var note: Note?, notes: Set<Note>?, nested: Shelf.Book?
      @NSManaged private var hidden: String?
      @NSManaged fileprivate(set) var half: NSNumber?
      @NSManaged var `default`: String
      @NSManaged var größe: Double, 名前: String?
      @NSManaged var shared: SharedNote.Kind?
      @NSManaged func addToNotes(_ value: Note)
      @NSManaged func addToNotes(_ values: NSSet)
      @NSManaged func insertIntoNotes(_ value: Note, at idx: Int)
      @NSManaged func replaceNotes(at indexes: NSIndexSet, with values: [Note])
      @NSManaged func removeFromNotes(at idx: Int)
      @NSManaged func addNotesObject(_ value: Note)
      struct Inner { var text = "@NSManaged var no: Int \(["}": 1].count)" }
      /* @NSManaged var not: Int /* nested */ */
      // @NSManaged var neither: Int
      func body() { _ = hidden; half = nil; let x = #/[{"]/#; _ = "x".firstMatch(of: x) }
      #if os(macOS)
        @NSManaged var elsewhere: Nowhere
      #else
        @NSManaged var here: Data?
      #endif
    }
    enum Shelf { class Book: NSManagedObject { @NSManaged var shelf: Data } }
    extension Shelf.Book { @NSManaged var added: Place.Kind?; func use() { _ = added; added = nil } }
    extension SharedNote {
      enum Paper { case thick }
      @NSManaged var paper: Paper?
      func use() { _ = (paper, added); paper = nil; addToShared(self); added = [kind] }
      var kind: Kind { .note }
      @NSManaged var added: [Kind]
      @NSManaged func addToShared(_ value: SharedNote)
    }
    """#
}

/// Names and types from few words, so that much comes again and is abbreviated.
private struct RandomNames {
  private var state: UInt64
  private var used: Set<String> = []

  init(seed: UInt64) { state = (seed &* 0x9e37_79b9_7f4a_7c15) | 1 }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return elements[Int((state >> 33) % UInt64(elements.count))]
  }

  mutating func name() -> String {
    let words = [
      "Note", "note", "Folder", "My", "HTTP", "x1", "_", "Über", "naïve", "Data", "Kind",
    ]
    while true {
      let count = pick([2, 3, 4])
      let name = "v" + (0..<count).map { _ in pick(words) }.joined()
      if used.insert(name).inserted { return name }
    }
  }

  mutating func access() -> String {
    pick(["", "", "public", "private", "fileprivate", "internal"])
  }

  mutating func type(_ depth: Int = 0) -> String {
    let plain = [
      "String", "Int16", "Date", "UUID?", "NoteKind", "NoteKind.DeepNoteKind?", "FolderData",
      "FolderData.Kind", "Überschrift?", "FolderNoteData", "NSNumber", "Data",
    ]
    guard depth < 2 else { return pick(plain) }
    switch pick([0, 0, 0, 1, 2, 3]) {
    case 1: return "[\(type(depth + 1))]"
    case 2: return "[\(pick(["String", "Date", "FolderData.Kind"])): \(type(depth + 1))]?"
    case 3: return "Set<\(pick(["Überschrift", "String"]))>"
    default: return pick(plain)
    }
  }
}
