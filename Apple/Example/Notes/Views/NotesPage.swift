import SwiftUI

/// The list of the notes, and the note that is chosen.
struct NotesPage: View {
  @Bindable var notebook: Notebook
  @State private var chosen: Note?
  @State private var showsDevices = false

  var body: some View {
    NavigationSplitView {
      List(selection: $chosen) {
        ForEach(notebook.notes) { note in
          NavigationLink(value: note) { NoteRow(note: note) }
        }
        .onDelete { places in
          for note in places.map({ notebook.notes[$0] }) { delete(note) }
        }
      }
      .navigationTitle("Notes")
      .toolbar {
        Button("Other devices", systemImage: drawing) { showsDevices = true }
        Button("New note", systemImage: "square.and.pencil") { chosen = notebook.add() }
      }
    } detail: {
      if let chosen {
        NotePage(note: chosen, notebook: notebook).id(chosen.objectID)
      } else {
        ContentUnavailableView("Choose a note", systemImage: "note.text")
      }
    }
    .sheet(isPresented: $showsDevices) { DevicesPage(notebook: notebook) }
    .alert(
      "Something went wrong",
      isPresented: Binding(get: { notebook.problem != nil }, set: { _ in notebook.problem = nil })
    ) {
      Button("OK") {}
    } message: {
      Text(notebook.problem ?? "")
    }
  }

  private var drawing: String {
    let isTroubled = !notebook.conflicts.isEmpty || notebook.status?.problem != nil
    if isTroubled { return "exclamationmark.icloud" }
    return notebook.status == nil ? "icloud.slash" : "checkmark.icloud"
  }

  private func delete(_ note: Note) {
    if note == chosen { chosen = nil }
    notebook.delete(note)
  }
}

/// A note in the list.
private struct NoteRow: View {
  @ObservedObject var note: Note

  var body: some View {
    VStack(alignment: .leading) {
      Text(note.title ?? "").font(.headline)
      Text(note.contents ?? "").lineLimit(1).foregroundStyle(.secondary)
    }
  }
}

/// The page on which a person writes.
struct NotePage: View {
  @ObservedObject var note: Note
  let notebook: Notebook

  var body: some View {
    VStack {
      TextField("Title", text: Binding(get: { note.title ?? "" }, set: { note.title = $0 }))
        .font(.title)
      TextEditor(text: Binding(get: { note.contents ?? "" }, set: { note.contents = $0 }))
    }
    .padding()
    .onDisappear { notebook.save() }
    // A pause in typing is saved, and sent.
    .task(id: [note.title, note.contents]) {
      do {
        try await Task.sleep(for: .seconds(1))
        notebook.save()
      } catch {
        // The next letter came.
      }
    }
  }
}
