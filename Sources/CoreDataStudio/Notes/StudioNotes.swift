import CoreDataStoreCare
import CoreDataStrictJSON
import CoreDataWebServer
import Foundation
import Synchronization

/// The places of entities in the picture and the saved questions, in a file beside the model or the store.
///
/// ```
/// Notes.xcdatamodeld
/// Notes.xcdatamodeld.studio.json   {"version": 1, "layout": {"Note": [40, 120]}, "questions": [{"name": "Old", …}]}
/// ```
///
/// The model's and the store's own files are not touched. Two pages that change it at once both keep what they save.
final class StudioNotes: Sendable {
  private typealias StrictValue = CoreDataStrictJSON.JSONValue

  /// A condition with a name.
  struct Question: Codable, Hashable, Sendable {
    let name: String
    let entity: String
    var condition: String?
    var sort: String?
    var columns: String?
  }

  /// The contents of the file.
  struct Contents: Codable, Hashable, Sendable {
    var version = 1
    /// The left and upper edge of each entity that was moved.
    var layout: [String: [Double]] = [:]
    var questions: [Question] = []
  }

  static let mostQuestions = 500
  static let mostEntities = 5_000
  private static let mostText = 10_000
  private static let mostBytes = 4 << 20

  private let file: URL
  private let turn = Mutex(())

  init(besides file: URL) {
    self.file = file.deletingLastPathComponent()
      .appending(path: file.lastPathComponent + ".studio.json")
  }

  /// The contents; empty before something is kept.
  ///
  /// - Throws: A `Problem` with status 409 for a file that Studio has not written.
  var contents: Contents {
    get throws {
      guard FileManager.default.fileExists(atPath: file.path) else { return Contents() }
      let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
      do {
        guard size <= Self.mostBytes else { throw strange }
        let value = try StrictValue(parsing: Data(contentsOf: file), within: .stored)
        let contents = try JSONReading.decode(Contents.self, from: value)
        guard contents.version == 1 else { throw strange }
        return contents
      } catch is JSONProblem {
        throw strange
      } catch is DecodingError {
        throw strange
      }
    }
  }

  private var strange: Problem {
    Problem(
      409,
      "\(file.lastPathComponent) is not what Studio writes there. Move it away, and save again."
    )
  }

  private func change(_ body: (inout Contents) throws -> Void) throws {
    try turn.withLock { _ in
      var contents = try contents
      try body(&contents)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      do {
        try encoder.encode(contents).write(to: file, options: .atomic)
      } catch {
        throw Problem(
          500,
          "\(file.lastPathComponent) cannot be written: \(error.localizedDescription)"
        )
      }
    }
  }
}

// MARK: - Changing

extension StudioNotes {
  /// Keeps a question under its name; one that has the name and the entity already is replaced.
  func keep(_ question: Question) throws {
    let texts = [
      question.name, question.entity, question.condition, question.sort, question.columns,
    ]
    guard !question.name.isEmpty, question.name.utf8.count <= 200,
      texts.compactMap(\.self).allSatisfy({ $0.utf8.count <= Self.mostText })
    else {
      throw Problem(
        400,
        "A saved question has a name of at most 200 bytes, and texts up to 10,000."
      )
    }
    try change { contents in
      contents.questions.removeAll { $0.name == question.name && $0.entity == question.entity }
      guard contents.questions.count < Self.mostQuestions else {
        throw Problem(400, "There are \(Self.mostQuestions) saved questions; remove one first.")
      }
      contents.questions.append(question)
    }
  }

  /// Removes the question with a name.
  func remove(_ name: String, of entity: String) throws {
    try change { contents in
      contents.questions.removeAll { $0.name == name && $0.entity == entity }
    }
  }

  /// Puts an entity at another place of the picture.
  func move(_ entity: String, x: Double, y: Double) throws {
    guard [x, y].allSatisfy({ $0.isFinite && $0.magnitude <= 1_000_000 }) else {
      throw Problem(400, "A place has two numbers from -1000000 to 1000000.")
    }
    try change { contents in
      guard contents.layout.count < Self.mostEntities || contents.layout[entity] != nil else {
        throw Problem(400, "No more than \(Self.mostEntities) entities have places of their own.")
      }
      contents.layout[entity] = [x.rounded(), y.rounded()]
    }
  }

  /// Lets all entities go back to the places that the picture gives them.
  func forgetLayout() throws {
    try change { $0.layout = [:] }
  }
}
