import CoreDataWebServer

// A grid of colours with names: add, rename in place, cut.
//
//   NamedColor     a value: name, colour, and a reference to its entity
//   Persistence    opens the store
//   SavedColors    the grid, and what people do with it
//   Routes         the same, over HTTP

let program = WebProgram("saved-colours", "A grid of colours, in the browser.", port: 8082)

await program.run { options in
  let persistence = try Persistence(store: options.store)
  let server = WebServer(
    Routes(try SavedColors(persistence)).router,
    configuration: try options.configuration(of: "saved-colours", store: persistence.file)
  )
  try await server.run { announce("SavedColours is at \($0)") }
}
