import CoreDataWebServer

// Notes with categories: a list, newest first, the page of a note, the list of categories.
//
//   CoreDataManager        opens the store
//   NotesController        the list of notes        ┐ each a ListController,
//   CategoriesController   the list of categories   ┘ over an NSFetchedResultsController
//   NoteController         the page of one note, which watches its context
//   Notebook               what people do with them
//   Routes                 the same, over HTTP

let program = WebProgram("notes", "Notes with categories, in the browser.", port: 8081)

await program.run { options in
  let coreDataManager = try CoreDataManager(store: options.store)
  let server = WebServer(
    Routes(try Notebook(coreDataManager)).router,
    configuration: try options.configuration(of: "notes", store: coreDataManager.file)
  )
  try await server.run { announce("Notes are at \($0)") }
}
