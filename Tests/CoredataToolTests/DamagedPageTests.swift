import CoreData
import Foundation
import TestSupport
import Testing

/// Tests of the tool with stores of which one page cannot be read.
struct DamagedPageTests {
  /// A page overwritten in one way or another.
  enum Damage: CaseIterable {
    case zeros, ones, noise

    func bytes(_ count: Int) -> Data {
      switch self {
      case .zeros: Data(count: count)
      case .ones: Data(repeating: 0xFF, count: count)
      case .noise: Data((0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7) })
      }
    }
  }

  /// A store with 300 notes, whose page with the note of the number 150 is damaged.
  private func store(_ damage: Damage) throws -> URL {
    let file = ToolStore.temporaryFile("Damaged.sqlite")
    let stack = try NotesStack(file: file, options: [:])
    try stack.work { context in
      for number in 0..<300 {
        context.note("note \(number) .").image = Data(repeating: 1, count: 150)
        // One save for each, so that their numbers are in their order.
        try context.save()
      }
    }
    for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
    var bytes = try Data(contentsOf: file)
    let place = try #require(bytes.firstRange(of: Data("note 150 ".utf8))).lowerBound
    let page = place / 4096 * 4096..<(place / 4096 + 1) * 4096
    bytes.replaceSubrange(page, with: damage.bytes(page.count))
    try bytes.write(to: file)
    return file
  }

  @Test("A dump prints all objects but those of a damaged page", arguments: Damage.allCases)
  func dump(damage: Damage) throws {
    let file = try store(damage)
    let outcome = try Program.run("dump", file.path, "--entity", "Note", "--format", "jsonl")
    #expect(outcome.status == 1)
    let lines = outcome.output.split(separator: "\n")
    #expect((270..<300).contains(lines.count), "\(lines.count)")
    #expect(lines.contains { $0.contains("note 299 ") })
    #expect(Set(lines).count == lines.count)
    #expect(outcome.errors.contains("Note is on damaged pages in part"), "\(outcome.errors)")
    #expect(outcome.errors.contains("ZNOTE: \(lines.count) rows"), "\(outcome.errors)")
  }

  @Test(
    "A copy has all objects but those of a damaged page, and says so",
    arguments: Damage.allCases,
    ["sqlite", "xml", "binary"]
  )
  func copy(damage: Damage, type: String) throws {
    let file = try store(damage)
    let copy = ToolStore.temporaryFile("Copy.\(type)")
    let outcome = try Program.run("copy", file.path, copy.path, "--as", type)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("what can be read of it was copied"), "\(outcome.errors)")
    #expect(outcome.errors.contains("ZNOTE: "), "\(outcome.errors)")
    let text = String(decoding: try Data(contentsOf: copy), as: UTF8.self)
    if type != "binary" { #expect(text.contains("note 299 ") && text.contains("note 0 ")) }
    #expect(!text.contains("note 150 "))
  }

  @Test("A store converted without a value whose file is missing is not called whole")
  func missingFile() throws {
    let file = ToolStore.temporaryFile("Lost.sqlite")
    let stack = try NotesStack(file: file, options: [:])
    try stack.work { context in
      context.note("large").image = Data(repeating: 5, count: 150_000)
      try context.save()
    }
    for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
    try FileManager.default.removeItem(
      at: file.deletingLastPathComponent().appendingPathComponent(".Lost_SUPPORT")
    )
    for type in ["xml", "binary"] {
      let copy = ToolStore.temporaryFile("Copy.\(type)")
      let outcome = try Program.run("copy", file.path, copy.path, "--as", type, "--json")
      #expect(outcome.status == 1)
      #expect(try outcome.json["missingFiles"] as? Int == 1)
      #expect(outcome.errors.contains("1 value is missing in the copy"), "\(outcome.errors)")
      #expect(FileManager.default.fileExists(atPath: copy.path))
    }
  }
}
