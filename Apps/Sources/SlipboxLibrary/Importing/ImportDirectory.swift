import Foundation
import Pictures
import RichText

/// Which notes and files the texts of an import mean.
struct ImportDirectory: Sendable {
  /// By paths without endings.
  private var notesByPath = LooseNames<UUID>()
  /// By the names of their files.
  private var notesByFile = LooseNames<UUID>()
  /// By their titles and other names.
  private var notesByName = LooseNames<UUID>()
  private var filesByPath = LooseNames<Int>()
  private var filesByName = LooseNames<Int>()
  /// Notes that were there before.
  private let others: TitleDirectory

  init(_ survey: ImportSurvey, _ source: ImportSource, others: TitleDirectory) {
    self.others = others
    // A path comes before a name, and a short path before a long one.
    for sketch in survey.sketches where sketch.part == nil {
      let place = NotePath(sketch.path)
      notesByPath.add(
        sketch.id,
        as: place.folder.isEmpty ? place.name : "\(place.folder)/\(place.name)"
      )
    }
    for sketch in survey.sketches.sorted(by: { $0.path.utf8.count < $1.path.utf8.count }) {
      if sketch.part == nil { notesByFile.add(sketch.id, as: NotePath(sketch.path).name) }
      for name in sketch.names { notesByName.add(sketch.id, as: name) }
    }
    let paths = survey.attachments.map { ($0, source.entries[$0].path) }
    for (index, path) in paths { filesByPath.add(index, as: path) }
    for (index, path) in paths.sorted(by: { $0.1.utf8.count < $1.1.utf8.count }) {
      filesByName.add(index, as: ImportPath.name(of: path))
    }
  }

  /// The note that `[[Title]]`, `[[Folder/Title]]` or `[[Title#Heading]]` means in a text.
  func note(_ link: String, in sketch: ImportSketch) -> UUID? {
    let title = link.prefix { $0 != "#" && $0 != "^" }.trimmingCharacters(in: .whitespaces)
    // A heading of the note itself.
    if title.isEmpty { return link.isEmpty ? nil : sketch.id }
    let ending = [".md", ".canvas"].first { title.lowercased().hasSuffix($0) } ?? ""
    let name = String(title.dropLast(ending.count))
    return note(called: name)
      ?? notesByPath[ImportPath.resolved(name, from: ImportPath.folder(of: sketch.path))]
      ?? note(inVault: name, of: sketch) ?? others[name]
  }

  /// The name of a file comes before names that another gives itself, too, which may be its first heading.
  private func note(called name: String) -> UUID? {
    notesByPath.just(name) ?? notesByFile.just(name) ?? notesByPath[name] ?? notesByFile[name]
      ?? notesByName[name]
  }

  /// The note of a path that begins in the folder of a vault, which may lie in folders of the archive.
  private func note(inVault path: String, of sketch: ImportSketch) -> UUID? {
    guard path.contains("/") else { return nil }
    return outerFolders(of: sketch).lazy
      .compactMap { notesByPath[ImportPath.resolved(path, from: $0)] }.first
  }

  /// The outermost folders that a file is in.
  private func outerFolders(of sketch: ImportSketch) -> [String] {
    let folder = ImportPath.folder(of: sketch.path)
    let parts = folder.split(separator: "/").prefix(Self.mostOuterFolders)
    return parts.indices.map { parts[...$0].joined(separator: "/") }
  }

  /// Each of many links to nowhere is looked for in all of them.
  private static let mostOuterFolders = 4

  /// The note in the file of an address: beside the text, or from the folder of the vault.
  func note(at address: String, in sketch: ImportSketch) -> UUID? {
    guard !address.contains(":"), !address.isEmpty else { return nil }
    return note(ofFile: ImportPath.resolved(address, from: ImportPath.folder(of: sketch.path)))
      ?? outerFolders(of: sketch).lazy
      .compactMap { note(ofFile: ImportPath.resolved(address, from: $0)) }.first
  }

  /// The note of a file by its path.
  func note(ofPage path: String) -> UUID? {
    note(ofFile: path.precomposedStringWithCanonicalMapping)
  }

  private func note(ofFile path: String) -> UUID? {
    guard NoteFormats.format(of: path) != nil || NotionName(path) != nil else { return nil }
    let stem = ImportPath.stem(of: path)
    let folder = ImportPath.folder(of: path)
    return notesByPath[folder.isEmpty ? stem : "\(folder)/\(stem)"]
  }

  /// The file of an address: beside the text, from the outermost folder or that of the vault, or anywhere by its name.
  func file(at address: String, in sketch: ImportSketch) -> Int? {
    guard !address.isEmpty, address.utf8.count < 2_000,
      !["http:", "https:", "data:", "mailto:"].contains(where: {
        address.lowercased().hasPrefix($0)
      })
    else { return nil }
    let near = ImportPath.resolved(address, from: ImportPath.folder(of: sketch.path))
    let root = ImportPath.resolved(address, from: "")
    return filesByPath[near] ?? filesByPath[root] ?? file(inVault: root, of: sketch)
      ?? filesByName[ImportPath.name(of: root)]
      // Between double brackets a sign of addresses is one of the name.
      ?? filesByName[ImportPath.name(of: address)]
  }

  /// The file of a path that begins in the folder of a vault: elsewhere another may have its name.
  private func file(inVault path: String, of sketch: ImportSketch) -> Int? {
    guard path.contains("/") else { return nil }
    return outerFolders(of: sketch).lazy
      .compactMap { filesByPath["\($0)/\(path)"] }.first
  }
}
