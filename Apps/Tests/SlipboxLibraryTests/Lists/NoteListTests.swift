import CoreData
import RichText
import Testing

@testable import SlipboxLibrary

/// Lists: the store finds the same notes as plain Swift.
struct NoteListTests {
  /// A note as plain Swift sees it.
  private struct Plain: Sendable {
    let id: String
    let title: String
    let text: String
    let status: Status
    let isFavorite: Bool
    let created: Date
    let modified: Date
    let trashed: Bool
    let folder: UUID?
    let keywords: Set<UUID>
    let hasAttachment: Bool

    init(_ note: Note) {
      id = note.uuid.text
      title = note.title
      text = note.bodyText
      status = note.status
      isFavorite = note.isFavorite
      created = note.creationDate
      modified = note.modificationDate
      trashed = note.isTrashed
      folder = note.folder?.uuid
      keywords = Set(note.keywords.map(\.uuid))
      hasAttachment = note.attachment != nil
    }

    var canonicalTitle: String { title.canonical }

    func isIn(_ place: NotePlace, _ now: Date) -> Bool {
      switch place {
      case .all: !trashed
      case .favourites: !trashed && isFavorite
      case .recent: !trashed && modified >= now - 7 * 86_400
      case .unfiled: !trashed && folder == nil
      case .trash: trashed
      case .folder(let id): !trashed && folder == id
      case .keyword(let id): !trashed && keywords.contains(id)
      }
    }

    func has(_ token: NoteSearchToken, _ now: Date) -> Bool {
      switch token {
      case .draftStatus: status == .draft
      case .reviewStatus: status == .review
      case .archivedStatus: status == .archived
      case .last24Hours: created >= now - 86_400
      case .last7Days: created >= now - 7 * 86_400
      case .withAttachment: hasAttachment
      }
    }

    func hasInTitle(_ words: [String]) -> Bool {
      words.allSatisfy {
        title.range(of: $0, options: [.caseInsensitive, .diacriticInsensitive]) != nil
      }
    }

    func has(_ word: String) -> Bool {
      let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive]
      return title.range(of: word, options: options) != nil
        || text.range(of: word, options: options) != nil
    }

    func isFound(by search: NoteSearch, _ now: Date) -> Bool {
      let scope =
        search.isSearching && search.scope == .all ? !trashed : isIn(search.place, now)
      return scope && search.tokens.allSatisfy { has($0, now) } && search.words.allSatisfy(has)
    }
  }

  private static let words = [
    "slip", "box", "Café", "cafe", "Über", "ideas", "method", "Émile", "notes", "links",
  ]

  /// Some hundred notes of every kind, the same ones for each seed.
  private func world(
    _ seed: UInt64
  ) async throws -> (
    box: Box, notes: [Plain], folders: [UUID], keywords: [UUID]
  ) {
    let box = try Box()
    let now = box.clock.now
    let (notes, folders, keywords) = try await box.library.write(by: "test") { context in
      var random = SeededNumbers(seed)
      let folders = (0..<4).map { Folder(name: "folder \($0)", context: context) }
      let keywords = (0..<5).map { Keyword(name: "keyword \($0)", context: context) }
      func words(_ count: Int) -> String {
        (0..<count).compactMap { _ in Self.words.randomElement(using: &random) }
          .joined(separator: " ")
      }
      for index in 0..<300 {
        let note = Note(title: words(2), context: context)
        note.formattedBodyText = RichText(plainText: words(4))
        note.status = Status.allCases.randomElement(using: &random) ?? .draft
        note.isFavorite = Int.random(in: 0..<5, using: &random) == 0
        // No two at the same moment, so that there is one right order.
        note.creationDate = now - Double(index) * 7_001
        note.modificationDate_ = now - Double.random(in: 0..<2_000_000, using: &random)
        note.folder = Bool.random(using: &random) ? folders.randomElement(using: &random) : nil
        note.keywords = Set(keywords.filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
        if Int.random(in: 0..<6, using: &random) == 0 { note.trashedDate_ = now }
        if Int.random(in: 0..<6, using: &random) == 0 {
          note.attachment = Attachment(image: Data([1]), context: context)
        }
      }
      try context.save()
      let notes = try context.fetch(Note.fetch()).map(Plain.init)
      return (notes, folders.map(\.uuid), keywords.map(\.uuid))
    }
    return (box, notes, folders, keywords)
  }

  private func search(
    _ random: inout SeededNumbers,
    _ folders: [UUID],
    _ keywords: [UUID]
  ) -> NoteSearch {
    let places: [NotePlace] =
      [.all, .favourites, .recent, .unfiled, .trash] + folders.map(NotePlace.folder)
      + keywords.map(NotePlace.keyword)
    // Beginnings of words, and of nothing else in the texts.
    let words = ["sl", "BOX", "cafe", "uber", "émi", "ideas", "nothing", "not"]
    return NoteSearch(
      place: places.randomElement(using: &random) ?? .all,
      text: words.shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random))
        .joined(separator: " "),
      tokens: Array(
        NoteSearchToken.allCases.shuffled(using: &random)
          .prefix(Int.random(in: 0...2, using: &random))
      ),
      scope: NoteSearchScope.allCases.randomElement(using: &random) ?? .all
    )
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `every search finds what plain Swift finds, in its order and sections`(
    seed: UInt64
  ) async throws {
    let (box, notes, folders, keywords) = try await world(seed)
    let now = box.clock.now
    var random = SeededNumbers(seed &* 77)
    var found = 0
    for _ in 0..<120 {
      let search = search(&random, folders, keywords)
      let sorting = NoteSorting.allCases.randomElement(using: &random) ?? .day
      let expected = sorted(notes.filter { $0.isFound(by: search, now) }, by: sorting, search.words)
      let window = try await box.library.notes(NoteQuery(search, sorting: sorting, limit: 500))
      let context = "\(search) \(sorting)"
      #expect(window.rows.map(\.id) == expected.map(\.id), "\(context)")
      #expect(window.total == expected.count)
      #expect(
        window.sections.map(\.count) == sectionCounts(of: expected, by: sorting, search.words),
        "\(context)"
      )
      found += expected.count
    }
    // Searches that find nothing would agree too.
    #expect(found > 500)
  }

  @Test(arguments: NoteSorting.allCases)
  func `windows put side by side are the whole list`(sorting: NoteSorting) async throws {
    let (box, _, _, _) = try await world(9)
    let whole = try await box.library.notes(NoteQuery(sorting: sorting, limit: 500))
    var pieces: [String] = []
    for offset in stride(from: 0, to: whole.total, by: 37) {
      let part = try await box.library.notes(NoteQuery(sorting: sorting, offset: offset, limit: 37))
      #expect(part.total == whole.total)
      #expect(part.sections == whole.sections)
      #expect(part.offset == offset)
      pieces += part.rows.map(\.id)
    }
    #expect(pieces == whole.rows.map(\.id))
    #expect(Set(pieces).count == whole.total)
  }

  private func sorted(
    _ notes: [Plain],
    by sorting: NoteSorting,
    _ words: [String] = []
  ) -> [Plain] {
    switch sorting {
    case .edited: notes.sorted { $0.modified > $1.modified }
    case .relevance:
      notes.sorted {
        $0.hasInTitle(words) == $1.hasInTitle(words)
          ? $0.modified > $1.modified : $0.hasInTitle(words)
      }
    case .dateAscending: notes.sorted { $0.created < $1.created }
    case .dateDescending, .day, .property: notes.sorted { $0.created > $1.created }
    case .titleAscending:
      notes.sorted {
        $0.canonicalTitle == $1.canonicalTitle
          ? $0.created > $1.created : $0.canonicalTitle < $1.canonicalTitle
      }
    case .titleDescending:
      notes.sorted {
        $0.canonicalTitle == $1.canonicalTitle
          ? $0.created > $1.created : $0.canonicalTitle > $1.canonicalTitle
      }
    case .status:
      Status.allCases.flatMap { status in
        notes.filter { $0.status == status }.sorted { $0.created > $1.created }
      }
    }
  }

  private func sectionCounts(
    of notes: [Plain],
    by sorting: NoteSorting,
    _ words: [String]
  ) -> [Int] {
    switch sorting {
    case .titleAscending, .titleDescending, .dateAscending, .dateDescending, .edited, .property:
      return [notes.count]
    case .relevance:
      if words.isEmpty { return [notes.count] }
      let titled = notes.count { $0.hasInTitle(words) }
      return [titled, notes.count - titled].filter { $0 > 0 }
    case .status:
      return Status.allCases.map { status in notes.filter { $0.status == status }.count }
        .filter { $0 > 0 }
    case .day:
      let days = notes.map { Day($0.created).key }
      return Set(days).sorted(by: >).map { day in days.filter { $0 == day }.count }
    }
  }
}

/// Lists: single rules.
struct NoteWindowTests {
  @Test(arguments: [
    "Éclair au CAFÉ", "ÅNGSTRÖM", "Straße", "İstanbul", "ﬁnal", "Ωmega Ή", "naïve façade", "日本語",
    "👍🏽 ok", "A\u{301}", "ŁÓDŹ", "Ærø", "'quoted' 100%",
  ])
  func `the store and we agree on what a title is without case and accents`(
    title: String
  ) async throws {
    let box = try Box()
    let note = try await box.note(title)
    let id = try note.id.uuid
    let stored = try await box.library.read { try $0.note(id).canonicalTitle }
    #expect(stored == title.canonical)
    let found = try await box.library.suggestions(text: title, limit: 5)
    #expect(found.notes.map(\.title) == [title])
  }

  @Test func `sections by status are draft, review, archived`() async throws {
    let box = try Box()
    try await box.library.write(by: nil) { context in
      for status in [Status.archived, .draft, .review, .draft] {
        Note(title: "\(status)", context: context).status = status
      }
    }
    let window = try await box.library.notes(NoteQuery(sorting: .status))
    #expect(window.sections.map(\.name) == ["draft", "review", "archived"])
    #expect(window.sections.map(\.title) == ["Draft", "Review", "Archived"])
    #expect(window.rows.map(\.title) == ["draft", "draft", "review", "archived"])
  }

  @Test func `sections by day begin with today`() async throws {
    let box = try Box()
    let now = box.clock.now
    try await box.library.write(by: nil) { context in
      for days in [0, 0, 1, 40] {
        Note(title: "\(days)", context: context).creationDate = now - Double(days) * 86_400
      }
    }
    let window = try await box.library.notes(NoteQuery(sorting: .day))
    #expect(window.sections.map(\.count) == [2, 1, 1])
    #expect(window.sections.first?.title == "Today")
    #expect(window.sections.dropFirst().first?.title == "Yesterday")
    #expect(window.sections.last?.title.hasSuffix("2026") == true)
  }

  @Test func `a window beyond the end has no rows`() async throws {
    let box = try Box()
    _ = try await box.note("one")
    let window = try await box.library.notes(NoteQuery(offset: 1000, limit: 60))
    #expect(window.rows.isEmpty)
    #expect(window.total == 1)
    #expect(window.offset == 1)
  }

  @Test func `a folder or keyword that does not exist has no notes`() async throws {
    let box = try Box()
    _ = try await box.note("one")
    for place in [NotePlace.folder(UUID()), .keyword(UUID())] {
      let window = try await box.library.notes(NoteQuery(NoteSearch(place: place)))
      #expect(window.total == 0)
    }
  }

  @Test func `the version changes when something was written, and only then`() async throws {
    let box = try Box()
    let before = try await box.library.notes(NoteQuery()).version
    let again = try await box.library.notes(NoteQuery()).version
    _ = try await box.note("one")
    let after = try await box.library.notes(NoteQuery()).version
    #expect(before == again)
    #expect(before != after)
  }

  @Test func `hits are told in UTF-16 units, in the title and in an excerpt around the first`()
    async throws
  {
    let box = try Box()
    let text = String(repeating: "word ", count: 100) + "the 👩‍👩‍👧 needle here"
    _ = try await box.note("A Needle 👍 needle", text)
    let window = try await box.library.notes(NoteQuery(NoteSearch(text: "NEEDLE")))
    let row = try #require(window.rows.first)
    #expect(row.hits.title == [TextRange(start: 2, length: 6), TextRange(start: 12, length: 6)])
    #expect(row.excerpt.hasPrefix("…"))
    let hit = try #require(row.hits.excerpt.first)
    let found = (row.excerpt as NSString)
      .substring(with: NSRange(location: hit.start, length: hit.length))
    #expect(found == "needle")
  }

  @Test func `a list of long notes was in memory with all its texts`() async throws {
    let box = try Box()
    let long = String(repeating: "word ", count: 199_000)
    for number in 1...3 { _ = try await box.note("Long \(number)", long) }
    for number in 1...3 { _ = try await box.note("Short \(number)", "word") }
    func portion(after titles: [String]) async throws -> Int {
      try await box.library.read { context in
        var portion = ReadingPortion()
        portion.follow(try titles.map { try Note.titled($0, in: context) })
        return portion.count
      }
    }
    #expect(ReadingPortion().count == 5)
    #expect(try await portion(after: ["Long 1", "Long 2"]) == 1)
    #expect(try await portion(after: ["Short 1", "Short 2"]) == 20)
    #expect(try await portion(after: ["Long 1", "Short 1", "Short 2"]) == 3)
    let query = NoteQuery(NoteSearch(), sorting: .titleAscending)
    let titles = try await box.library.notes(query).rows.map(\.title)
    #expect(titles == ["Long 1", "Long 2", "Long 3", "Short 1", "Short 2", "Short 3"])
  }

  @Test func `a list of long notes read each to its end while all others waited`() async throws {
    let box = try Box()
    let words = String(repeating: "Word ", count: 400)
    let note = try await box.note("Long", words + "Crème brûlée " + words)
    let id = try note.id.uuid
    func excerpt(_ words: [String], bytes: Int) async throws -> String {
      try await box.library.read { context in
        NoteRow(try context.note(id), words: words, ReadingRoom(bytes: bytes)).excerpt
      }
    }
    #expect(try await excerpt([], bytes: 0).hasPrefix("Word Word"))
    #expect(try await excerpt(["creme"], bytes: 100_000).contains("Word Crème brûlée Word"))
    #expect(try await excerpt(["creme"], bytes: 0).contains("word crème brûlée word"))
    #expect(try await excerpt(["tea"], bytes: 0).hasPrefix("Word Word"))
  }

  @Test func `lists and RTF had the remarks of their writer`() async throws {
    let box = try Box()
    let long = String(repeating: "Ask her. ", count: 60)
    let markdown =
      "It hums. %%\(long)%% And on.\n\n%%mine\n\nmine too%%\n\nNectar at the end %%secret%%."
    var new = NewNote(title: "Bees")
    new.document = JSONValue(text: RichText(markdown: markdown).json)
    let id = try await box.library.make(new, by: nil).note.id.uuid
    func excerpt(_ search: String) async throws -> String? {
      try await box.library.notes(NoteQuery(NoteSearch(text: search))).rows.first?.excerpt
    }
    #expect(try await excerpt("") == "It hums. And on. Nectar at the end .")
    #expect(try await excerpt("nectar") == "It hums. And on. Nectar at the end .")
    // A writer who looks for her remark finds it.
    #expect(try await excerpt("secret")?.contains("%%secret%%") == true)
    let exported = try await box.library.export(id, as: .rtf).data
    #expect(try RichText(rtf: exported).plainText == "It hums.  And on.\nNectar at the end .")
    #expect(try await box.text(of: "Bees").markdown == markdown + "\n")
  }

  @Test func `a window of many notes has all of them, in their order`() async throws {
    let box = try Box()
    try await box.library.write(by: nil) { context in
      for number in 0..<130 {
        let note = Note(title: "Note \(number)", context: context)
        note.creationDate = Date(timeIntervalSinceReferenceDate: Double(number))
      }
      try context.save()
    }
    let window = try await box.library.notes(
      NoteQuery(sorting: .dateAscending, offset: 5, limit: 500)
    )
    #expect(window.rows.map(\.title) == (5..<130).map { "Note \($0)" })
  }

  @Test(arguments: [
    ("slip", ["The slip box", "slips"]), ("LIP", []), ("box the", ["The slip box"]),
    ("京", ["東京の話"]), ("cre brul", ["Crème brûlée"]), ("100%", ["100 percent"]),
  ])
  func `words are found by how they begin`(search: (text: String, titles: [String])) async throws {
    let box = try Box()
    for title in ["The slip box", "slips", "東京の話", "Crème brûlée", "100 percent"] {
      _ = try await box.note(title)
    }
    let window = try await box.library.notes(NoteQuery(NoteSearch(text: search.text)))
    #expect(Set(window.rows.map(\.title)) == Set(search.titles))
    // And a row shows the found words.
    #expect(window.rows.allSatisfy { !$0.hits.title.isEmpty } || search.text == "100%")
  }

  @Test func `the overview counts what is not in the trash`() async throws {
    let box = try Box()
    let library = box.library
    let folder = try await library.makeFolder(id: nil, name: "Folder", parent: nil, by: nil)
    let folderID = try #require(UUID(uuidString: folder.id))
    for title in ["a", "b", "c"] { _ = try await box.note(title, in: folderID) }
    let loose = try await box.note("loose")
    var edit = NoteEdit()
    edit.favourite = true
    edit.addKeywords = [KeywordChoice(name: "word")]
    for id in [loose.id] { _ = try await library.edit(try id.uuid, edit, by: nil) }
    let row = try #require(
      try await library.notes(NoteQuery(NoteSearch(place: .folder(folderID)))).rows.first
    )
    edit.favourite = false
    _ = try await library.edit(try row.id.uuid, edit, by: nil)
    _ = try await library.trash([try row.id.uuid], by: nil)
    let overview = try await library.overview()
    #expect(overview.folders.map(\.count) == [2])
    #expect(overview.places == .init(all: 3, favourites: 1, recent: 3, unfiled: 1, trash: 1))
    #expect(overview.keywords.total == 1)
    #expect(overview.keywords.top.map(\.count) == [1])
  }

  @Test func `a hit behind the lines that a list shows was not seen`() async throws {
    let box = try Box()
    _ = try await box.note("Late", String(repeating: "word ", count: 30) + "the needle here")
    _ = try await box.note("Early", "The needle " + String(repeating: "word ", count: 30))
    let query = NoteQuery(NoteSearch(text: "needle"), sorting: .titleAscending)
    let rows = try await box.library.notes(query).rows
    let excerpts = Dictionary(uniqueKeysWithValues: rows.map { ($0.title, $0.excerpt) })
    #expect(excerpts["Early"]?.hasPrefix("The needle word") == true)
    let late = try #require(excerpts["Late"])
    #expect(late.hasPrefix("…word") && late.prefix(100).contains("needle"))
  }

  @Test func `the sign of a paragraph was read in the list`() async throws {
    let box = try Box()
    _ = try await box.note("Raised", "It is 2 ^n")
    _ = try await box.note("Signed", "The hive hums. ^a1b2")
    _ = try await box.note("Squared", "Two times two is 2 ^2")
    let rows = try await box.library.notes(NoteQuery(sorting: .titleAscending)).rows
    #expect(rows.map(\.excerpt) == ["It is 2 ^n", "The hive hums.", "Two times two is 2 ^2"])
  }

  @Test func `suggestions begin with names that begin so`() async throws {
    let box = try Box()
    for title in ["The slip box", "slips of paper", "Ålesund"] { _ = try await box.note(title) }
    _ = try await box.library.makeFolder(id: nil, name: "My slips", parent: nil, by: nil)
    _ = try await box.library.makeKeyword(KeywordChoice(name: "slipping"), by: nil)
    let found = try await box.library.suggestions(text: "slip", limit: 20)
    #expect(found.notes.map(\.title) == ["slips of paper", "The slip box"])
    #expect(found.folders.map(\.name) == ["My slips"])
    #expect(found.keywords.map(\.name) == ["slipping"])
    let accent = try await box.library.suggestions(text: "ale", limit: 20)
    #expect(accent.notes.map(\.title) == ["Ålesund"])
    let latest = try await box.library.suggestions(text: "", limit: 2)
    #expect(latest.notes.count == 2)
  }
}

extension String {
  var uuid: UUID { get throws { try #require(UUID(uuidString: self)) } }
}
