import Foundation

/// The folders of exports of other programs, found by the names of the files of an import.
///
/// ```
/// Graph/logseq/config.edn                                 Graph/          is Logseq's
/// Backup/Standard Notes Backup and Import File.txt        Backup/         is that of Standard Notes
/// Notes/source/notes.json                                 Notes/          is Simplenote's
/// ```
struct ProgramExports: Sendable {
  /// With the sign behind them; empty for the outermost folder.
  private(set) var logseq: Set<String> = []
  private(set) var standardNotes: Set<String> = []
  private(set) var simplenote: Set<String> = []

  /// Each file is looked for in all of them.
  private static let mostFolders = 20

  init(_ source: ImportSource) {
    for entry in source.entries { look(at: entry.path) }
  }

  private mutating func look(at path: String) {
    if let folder = LogseqPage.graph(with: path) {
      Self.add(folder, to: &logseq)
    } else if StandardNotesFormat.isBackup(path) {
      Self.add(String(path.dropLast(ImportPath.name(of: path).count)), to: &standardNotes)
    } else if path == SimplenoteFormat.list || path.hasSuffix("/\(SimplenoteFormat.list)") {
      Self.add(String(path.dropLast(SimplenoteFormat.list.count)), to: &simplenote)
    }
  }

  private static func add(_ folder: String, to folders: inout Set<String>) {
    if folders.count < mostFolders { folders.insert(folder) }
  }
}
