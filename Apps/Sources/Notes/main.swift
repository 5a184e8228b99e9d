import Foundation
import WebServer

// Notes with categories: a list, newest first, the page of a note, the list of categories.
//
//   CoreDataManager        opens the store
//   NotesController        the list of notes        ┐ each a ListController,
//   CategoriesController   the list of categories   ┘ over an NSFetchedResultsController
//   NoteController         the page of one note, which watches its context
//   Notebook               what people do with them
//   Routes                 the same, over HTTP

// Notes are for their writer's eyes: files made here are for nobody else.
umask(0o077)

do {
  let options = try ProgramOptions(CommandLine.arguments.dropFirst(), port: 8081)
  if options.wantsHelp {
    print(ProgramOptions.usage("notes", "Notes with categories, in the browser.", port: 8081))
  } else {
    let coreDataManager = try CoreDataManager(store: options.store)
    let server = WebServer(
      Routes(try Notebook(coreDataManager)).router,
      configuration: try options.configuration(of: "notes", store: coreDataManager.file)
    )
    try await server.run { announce("Notes are at \($0)") }
  }
} catch {
  FileHandle.standardError.write(Data("notes: \(error.localizedDescription)\n".utf8))
  exit(1)
}
