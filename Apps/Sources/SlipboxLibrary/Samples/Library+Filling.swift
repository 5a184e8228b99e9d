import CoreData
import RichText

extension Library {
  /// Fills the store with made-up notes, folders and keywords, for measuring.
  ///
  /// Rows are written by batch insertions, without an object for each; keywords and links are then tied by
  /// objects, some thousands at a time.
  public func fill(notes count: Int) async throws {
    let (now, seed) = (now(), UInt64(count))
    let folders = try await insertFolders(min(max(count / 50, 1), 2000), now: now)
    try await insertKeywords(min(max(count / 20, 1), 5000))
    try await insertNotes(count, in: folders, now: now, seed: seed)
    try await tieKeywords(seed: seed)
    let folderList = self.folders
    try await reading.perform { try folderList.refetch() }
    outlines.forget()
  }

  private func insertFolders(_ count: Int, now: Date) async throws -> [NSManagedObjectID] {
    try await write(by: "fill") { context in
      var rest = (0..<count).makeIterator()
      let request = NSBatchInsertRequest(
        entityName: "Folder",
        dictionaryHandler: { row in
          guard let index = rest.next() else { return true }
          row["uuid_"] = UUID()
          row["name_"] = "Folder \(index)"
          row["creationDate_"] = now - Double(count - index) * 3600
          row["order"] = Int64(index)
          return false
        }
      )
      request.resultType = .objectIDs
      let result = try context.execute(request) as? NSBatchInsertResult
      return result?.result as? [NSManagedObjectID] ?? []
    }
  }

  private func insertKeywords(_ count: Int) async throws {
    try await write(by: "fill") { context in
      var rest = (0..<count).makeIterator()
      let request = NSBatchInsertRequest(
        entityName: "Keyword",
        dictionaryHandler: { row in
          guard let index = rest.next() else { return true }
          let name = "keyword \(index)"
          let colour = Palette.colour(for: name)
          row["uuid_"] = UUID()
          row["name_"] = name
          row["colorHex_"] = colour.hex
          (row["red_"], row["green_"], row["blue_"]) = (colour.red, colour.green, colour.blue)
          return false
        }
      )
      _ = try context.execute(request)
    }
  }

  private func insertNotes(
    _ count: Int,
    in folders: [NSManagedObjectID],
    now: Date,
    seed: UInt64
  ) async throws {
    try await write(by: "fill") { context in
      var words = MadeUpWords(seed)
      var rest = (0..<count).makeIterator()
      let request = NSBatchInsertRequest(
        entityName: "Note",
        dictionaryHandler: { row in
          guard let index = rest.next() else { return true }
          let text = RichText(plainText: words.sentences(6) + "\n" + words.sentences(4))
          let (rtf, title) = (text.rtf, words.title(index))
          // Two years of notes.
          let created = now - Double(count - index) / Double(count) * 730 * 86_400
          row["uuid_"] = UUID()
          row["title_"] = title
          row["formattedBodyText_"] = rtf
          row["documentDigest_"] = Digest.of(rtf)
          row["document_"] = text.json
          let body = text.plainText.lowercased()
          row["bodyText_"] = body
          row["signs_"] = SearchSigns.words(of: title, body)
          row["status_"] = Status.allCases[words.number(below: 3)].rawValue
          row["isFavorite"] = words.number(below: 50) == 0
          row["creationDate_"] = created
          row["modificationDate_"] = created
          row["day_"] = Day(created).key
          row["revision"] = Int64(1)
          if words.number(below: 10) > 0, !folders.isEmpty {
            row["folder"] = folders[words.number(below: folders.count)]
          }
          return false
        }
      )
      _ = try context.execute(request)
    }
  }

  private func tieKeywords(seed: UInt64) async throws {
    let total = try await read { try $0.count(for: Note.fetch()) }
    for start in stride(from: 0, to: total, by: 2000) {
      try await write(by: "fill") { context in
        var words = MadeUpWords(seed &+ UInt64(start))
        let keywords = try context.fetch(Keyword.fetch())
        let request = Note.fetch()
        (request.fetchOffset, request.fetchLimit) = (start, 2000)
        let notes = try context.fetch(request)
        for note in notes {
          note.keywords = Set(
            (0..<words.number(below: 4)).map { _ in keywords[words.number(below: keywords.count)] }
          )
          // A third leads to others, which is more than most people's.
          let links = max(words.number(below: 6) - 3, 0)
          note.linkedNotes = Set((0..<links).map { _ in notes[words.number(below: notes.count)] })
        }
      }
    }
  }
}

/// Words that look like a language, the same ones for each seed.
private struct MadeUpWords {
  private var state: UInt64
  private static let syllables = [
    "ka", "lo", "mi", "ren", "su", "ta", "vel", "no", "dra", "pi", "zen", "hu", "mar", "es", "ti",
    "or", "bel", "qua", "ne", "fo", "gri", "sal", "wen", "ty",
  ]

  init(_ seed: UInt64) {
    state = (seed &* 0x9e37_79b9_7f4a_7c15) | 1
  }

  mutating func number(below limit: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int((state >> 16) % UInt64(limit))
  }

  private mutating func word() -> String {
    // Few syllables make some words frequent and most rare, as in a language.
    (0...(1 + number(below: 3))).reduce(into: "") { word, _ in
      word += Self.syllables[number(below: Self.syllables.count)]
    }
  }

  mutating func title(_ index: Int) -> String {
    "\(word().capitalized) \(word()) \(word()) \(index)"
  }

  mutating func sentences(_ count: Int) -> String {
    (0..<count).map { _ in
      (0..<(6 + number(below: 6))).map { _ in word() }.joined(separator: " ").capitalizedFirst + "."
    }.joined(separator: " ")
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
