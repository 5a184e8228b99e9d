import Foundation
import RichText

/// Files of Evernote, each with the notes of a notebook.
struct EvernoteFormat: NoteFormat {
  let name = "Evernote"
  let endings = ["enex"]
  let isCollection = true

  func survey(_ index: Int, _ survey: inout ImportSurvey) throws {
    let entry = survey.source.entries[index]
    let file = EvernoteFile(try entry.mapped(EvernoteFile.limit, survey.folder))
    var emptyCount = 0
    // Evernote exports each notebook as a file of its name.
    let notebook = [
      survey.source.isTree ? ImportPath.folder(of: entry.path) : "",
      ImportPath.stem(of: entry.path),
    ].filter { !$0.isEmpty }.joined(separator: "/")
    for part in file.notes {
      let (title, isEmpty) = file.outline(of: part)
      if isEmpty {
        emptyCount += 1
        continue
      }
      try survey.add(
        ImportSketch(
          id: UUID(),
          entry: index,
          part: part,
          format: self,
          path: entry.path,
          folder: notebook,
          names: title.map { [$0] } ?? []
        )
      )
    }
    if file.notes.isEmpty {
      throw LibraryProblem.refused("There are no notes in this file: it has no <note> of Evernote.")
    }
    if emptyCount > 0 {
      survey.refused.append(
        .init(name: entry.path, reason: "\(emptyCount) of its notes have nothing in them.")
      )
    }
  }

  func read(_ sketch: ImportSketch, _ reader: inout ImportReader) async throws -> ImportedDraft {
    let folder = reader.folder
    let evernote = try reader.collection(sketch.entry) {
      EvernoteFile(try $0.mapped(EvernoteFile.limit, folder))
    }
    let note = try evernote.note(sketch.part ?? 0..<0)
    var newFiles: [NewFile] = []
    var attached: [String: RichText.Attached] = [:]
    for resource in note.resources {
      do {
        let data = try evernote.content(of: resource)
        let new = try await NewFile(data, name: resource.name, heldIn: reader.folder)
        newFiles.append(new)
        attached[MD5.text(of: data)] =
          new.isPicture ? .picture(new.id) : .file(new.id, name: new.name)
      } catch {
        let name = "\(note.title ?? sketch.path): \(resource.name)"
        reader.refused.append(.init(name: name, reason: ImportReason.sentence(error)))
      }
    }
    let mentions = Mentions()
    var file = try file(of: note, sketch, attached, reader.directory, mentions)
    if !mentions.embedded.isEmpty {
      let (inside, kept) = await reader.embeddedFiles(of: mentions, in: sketch)
      newFiles += inside
      file = try self.file(of: note, sketch, attached, reader.directory, Mentions(kept: kept))
    }
    if note.hasOtherFacts { mentions.changes[.facts] = 0 }
    reader.tell(mentions.changes, in: sketch)
    let named = Set(file.text.files)
    let others = newFiles.filter { !named.contains($0.id) }.map { new -> RichText.Block in
      new.isPicture
        ? .picture(.init(file: new.id)) : .file(.init(file: new.id, name: new.name))
    }
    file.text = RichText(file.text.blocks + others)
    if note.content.contains("<en-crypt") {
      let reason = "Some of its words are encrypted, which only Evernote can undo."
      reader.refused.append(.init(name: note.title ?? sketch.path, reason: reason))
    }
    return try reader.draft(sketch, file, picture: nil, newFiles: newFiles)
  }

  /// The text of a note; tasks whose place it does not name, and its source, are below it.
  private func file(
    of note: EvernoteNote,
    _ sketch: ImportSketch,
    _ attached: [String: RichText.Attached],
    _ directory: ImportDirectory,
    _ mentions: Mentions
  ) throws -> MarkdownFile {
    var tasks = note.taskLists
    let page = try HTMLPage(
      note.content,
      in: HTMLSurroundings(
        linesAreDivs: true,
        isXML: true,
        noteNamed: { directory.note($0, in: sketch) },
        tasksOf: { tasks.removeValue(forKey: $0) ?? [] },
        fileAt: { address in
          attached[address.lowercased()]
            ?? EmbeddedFile(address: address).flatMap { mentions.attached($0) }
        }
      )
    )
    for change in page.changes { mentions.changes[change] = 0 }
    var blocks = page.text.blocks
    blocks += tasks.sorted { $0.key < $1.key }.map { RichText.Block.taskList($0.value) }
    if let source = note.source, let link = RichText.Link(source) {
      blocks.append(.paragraph([.text(source, RichText.Marks([], link: link))]))
    }
    var file = MarkdownFile(title: note.title, keywords: note.tags, text: RichText(blocks))
    if let reminder = note.reminder {
      file.properties = [NoteProperty("reminder", .reminder(reminder))]
    }
    file.created = note.created
    file.modified = note.updated ?? note.created
    return file
  }
}
