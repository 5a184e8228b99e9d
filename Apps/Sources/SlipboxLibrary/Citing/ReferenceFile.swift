import Foundation

/// The references of a file, and what could not be read.
struct ReferenceFile: Sendable {
  /// A part of the file that was left out.
  struct Problem: Sendable, Equatable {
    /// The number of the line, or that of the entry in a file of JSON.
    var place: String
    /// A sentence: what is wrong, and what to do.
    var sentence: String
  }

  var references: [Reference] = []
  var problems: [Problem] = []
  /// All problems, including those that are not listed.
  var problemCount = 0

  /// So many problems of a file are listed.
  static let mostProblems = 20

  mutating func add(problem sentence: String, at place: String) {
    problemCount += 1
    if problems.count < Self.mostProblems {
      problems.append(Problem(place: place, sentence: sentence))
    }
  }

  /// Reads a file by the format that its name and contents say.
  ///
  /// - Returns: `nil` for a file that is not one of references, such as other JSON.
  static func read(_ data: Data, named name: String) throws -> ReferenceFile? {
    let name = name.lowercased()
    if data.count > Reference.mostBytes {
      var file = ReferenceFile()
      // Of JSON it is not known whether it has references.
      if name.hasSuffix(".json"), !name.hasSuffix(".csl.json") { return nil }
      file.add(
        problem:
          "The file has more than \(Reference.mostBytes >> 20) MB. Divide it into smaller ones.",
        at: "line 1"
      )
      return file
    }
    if name.hasSuffix(".json") {
      return try CSLReader.file(of: data, isMeant: name.hasSuffix(".csl.json"))
    }
    return try BibReader.file(of: data)
  }

  /// The endings of names that files with references have.
  static let endings = [".bib", ".bibtex", ".json"]
}
