import CoreData
import Foundation
import RichText

extension Library {
  /// The references of all files in notes that have some words in their key, people, year or title.
  ///
  /// A file is one of references by its name (``ReferenceFile/endings``), and if a note that is not in the trash names it
  /// in its text.
  public func references(text: String, limit: Int) async throws -> FoundReferences {
    let limit = min(max(limit, 1), 500)
    let words = text.canonical.split(whereSeparator: \.isWhitespace).prefix(10).map {
      Array($0.utf8)
    }
    let (files, others) = try await referenceFiles()
    var (rows, seen) = ([FoundReferences.Row](), Set<String>())
    for (source, contents) in files where rows.count < limit {
      for place in contents.places(with: words, atMost: limit) where rows.count < limit {
        let reference = contents.file.references[place]
        guard seen.insert(reference.key).inserted else { continue }
        rows.append(FoundReferences.Row(reference, source.name))
      }
    }
    return FoundReferences(
      references: rows,
      sources: files.map {
        .init(
          name: $0.source.name,
          note: $0.source.note.text,
          count: $0.contents.file.references.count
        )
      },
      problems: files.flatMap { $0.contents.file.sentences(name: $0.source.name) } + others
    )
  }

  /// The works of some keys, as a text that cites them shows them.
  ///
  /// - Throws: ``LibraryProblem/refused(_:)`` for more than 2,000 keys.
  public func cited(_ keys: [String]) async throws -> CitedReferences {
    guard keys.count <= RichText.mostCited else {
      throw LibraryProblem.refused(
        "At most \(RichText.mostCited) works can be asked for at once, not \(keys.count)."
      )
    }
    let (files, _) = try await referenceFiles()
    let list = Self.list(of: keys, in: files)
    let known = Set(list.works.map(\.key))
    return CitedReferences(
      works: list.works.map(CitedReferences.Work.init),
      missing: keys.filter { !known.contains($0) },
      sources: Set(files.map(\.source.note.text)).sorted()
    )
  }

  /// The works of some keys, as far as files have them.
  func referenceList(of keys: [String]) async throws -> ReferenceList {
    if keys.isEmpty { return ReferenceList([]) }
    return Self.list(of: keys, in: try await referenceFiles().files)
  }

  /// The first file with a key has its work.
  private static func list(of keys: [String], in files: [ReadFile]) -> ReferenceList {
    var seen: Set<String> = []
    return ReferenceList(
      keys.filter { seen.insert($0).inserted }.compactMap { key in
        files.lazy.compactMap { $0.contents[key] }.first
      }
    )
  }
}

// MARK: - Files

extension Library {
  fileprivate struct Source: Sendable {
    let file: NSManagedObjectID
    let id: UUID
    let name: String
    let note: UUID
  }

  private typealias ReadFile = (source: Source, contents: IndexedReferences)

  /// More files with references are not read.
  private static let mostFiles = 200

  /// The files with references, by their names, and sentences about those that were not read.
  private func referenceFiles() async throws -> (files: [ReadFile], problems: [String]) {
    let shelf = referenceShelf
    let sources = try await read { try Self.sources(in: $0, shelf) }
    var files: [ReadFile] = []
    for source in sources.prefix(Self.mostFiles) {
      try Task.checkCancellation()
      if let contents = try await contents(of: source) { files.append((source, contents)) }
    }
    guard sources.count > Self.mostFiles else { return (files, []) }
    return (
      files,
      [
        "There are \(sources.count) files that may have references. The first \(Self.mostFiles) are read."
      ]
    )
  }

  /// The references of a file; `nil` for other JSON.
  private func contents(of source: Source) async throws -> IndexedReferences? {
    do {
      return try await referenceShelf.references(of: source.file) {
        let data = try await self.readFile(source.id) { _, data in try data() }
        let file = try ReferenceFile.read(data, named: source.name)
        return .init(contents: file.map(IndexedReferences.init), byteCount: data.count)
      }
    } catch LibraryProblem.missing {
      // It has gone in between.
      return nil
    }
  }

  private static func sources(
    in context: NSManagedObjectContext,
    _ shelf: ReferenceShelf
  ) throws -> [Source] {
    let request = NSFetchRequest<Attachment>(entityName: "Attachment")
    let names = ReferenceFile.endings.map { NSPredicate(format: "name_ ENDSWITH[c] %@", $0) }
    request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
      NSCompoundPredicate(orPredicateWithSubpredicates: names),
      NSPredicate(
        format: "uuid_ != nil AND SUBQUERY(notes_, $n, $n.trashedDate_ == nil).@count > 0"
      ),
    ])
    request.relationshipKeyPathsForPrefetching = ["notes_"]
    return try context.fetch(request).compactMap { attachment in
      let notes = (attachment.notes_ as? Set<Note> ?? []).filter { note in
        !note.isTrashed && shelf.files(of: note).contains(attachment.uuid)
      }
      guard let note = notes.min(by: { $0.uuid.text < $1.uuid.text }) else { return nil }
      return Source(
        file: attachment.objectID,
        id: attachment.uuid,
        name: attachment.name,
        note: note.uuid
      )
    }
    .sorted { one, other in
      // Files that may be other JSON come last.
      (one.isMaybe ? 1 : 0, one.name, one.id.text)
        < (other.isMaybe ? 1 : 0, other.name, other.id.text)
    }
  }
}

extension Library.Source {
  fileprivate var isMaybe: Bool { name.lowercased().hasSuffix(".json") }
}
