import Foundation

/// The facts that programs keep about their notes in other files than those of the notes.
struct ProgramFacts: Sendable {
  var joplin = JoplinItems()
  var notion = NotionTables()
  var logseq = LogseqBlocks()
  var keep = KeepFolders()
  /// The beginnings of notes of Simplenote, of which its export has copies.
  var simplenote: Set<String> = []
  /// The names that people gave to files whose names in the export mean nothing, by the numbers of the files.
  var fileNames: [Int: String] = [:]
}

extension ImportSurvey {
  /// Puts together what the files of other programs say about one another.
  mutating func finishPrograms() {
    finishJoplin()
    finishNotion()
    finishKeep()
    finishSimplenote()
    finishStandardNotes()
    finishLogseq()
  }

  /// Leaves out files that say nothing that others do not say.
  mutating func remove(_ isCopy: (ImportSketch) -> Bool) {
    sketches.removeAll(where: isCopy)
  }

  /// Leaves out files that no note may refer to.
  mutating func removeAttachments(_ isOwn: (String) -> Bool) {
    attachments.removeAll { isOwn(source.entries[$0].path) }
  }
}
