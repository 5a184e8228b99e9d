import Foundation

/// Joplin's notebooks, tags and files, which have files of their own.
struct JoplinItems: Sendable {
  private var notebooks: [String: (title: String, parent: String)] = [:]
  private var tags: [String: String] = [:]
  private var tagsOfNotes: [String: [String]] = [:]
  private var fileNames: [String: String] = [:]
  /// The notebooks of notes, by the numbers of their files.
  private var parents: [Int: String] = [:]
  /// The files that notes refer to, by their identifiers; their numbers in the source.
  fileprivate(set) var resources: [String: Int] = [:]

  private static let mostTags = 200
  private static let deepest = 20

  mutating func add(_ item: JoplinItem) {
    guard let kind = item.kind, let id = item["id"] else { return }
    switch kind {
    case .notebook: notebooks[id] = (item.title, item["parent_id"] ?? "")
    case .tag: tags[id] = item.title
    case .resource: fileNames[id] = item.title
    case .noteTag:
      guard let note = item["note_id"], let tag = item["tag_id"],
        tagsOfNotes[note, default: []].count < Self.mostTags
      else { return }
      tagsOfNotes[note, default: []].append(tag)
    case .note: break
    }
  }

  mutating func addNote(_ entry: Int, in notebook: String?) {
    if let notebook { parents[entry] = notebook }
  }

  func tags(of note: String) -> [String] { (tagsOfNotes[note] ?? []).compactMap { tags[$0] } }

  /// The path of a note's notebook.
  fileprivate func folder(of entry: Int) -> String { parents[entry].map(path) ?? "" }

  /// The paths of all notebooks.
  fileprivate var folders: [String] { notebooks.keys.map(path).sorted() }

  private func path(of notebook: String) -> String {
    var parts: [String] = []
    var next = notebook
    while let found = notebooks[next], parts.count < Self.deepest {
      // A sign between folders is a letter of this name.
      let name = found.title.replacing("/", with: "∕").trimmingCharacters(in: .whitespaces)
      parts.append(String(name.prefix(200)))
      next = found.parent
    }
    return parts.reversed().filter { !$0.isEmpty }.joined(separator: "/")
  }

  fileprivate func name(ofFile id: String, at path: String) -> String? {
    guard let title = fileNames[id], !title.isEmpty else { return nil }
    let ending = ImportPath.ending(of: path)
    return ImportPath.ending(of: title).isEmpty && !ending.isEmpty ? "\(title).\(ending)" : title
  }
}

extension ImportSurvey {
  /// Gives Joplin's notes the folders of their notebooks, and its files their names.
  mutating func finishJoplin() {
    for index in sketches.indices where sketches[index].format is JoplinFormat {
      sketches[index].folder = programs.joplin.folder(of: sketches[index].entry)
    }
    let used = Set(sketches.lazy.filter { $0.format is JoplinFormat }.map(\.folder))
    // A folder of a note is made with those around it.
    facts.folders += programs.joplin.folders.filter { !$0.isEmpty && !used.contains($0) }
    for index in attachments {
      let path = source.entries[index].path
      let id = ImportPath.stem(of: path)
      guard JoplinItem.isIdentifier(id),
        ImportPath.name(of: ImportPath.folder(of: path)) == "resources"
      else { continue }
      programs.joplin.resources[id] = index
      programs.fileNames[index] = programs.joplin.name(ofFile: id, at: path)
    }
  }
}
