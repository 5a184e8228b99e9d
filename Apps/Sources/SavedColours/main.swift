import Foundation
import WebServer

// A grid of colours with names: add, rename in place, cut.
//
//   NamedColor     a value: name, colour, and a reference to its entity
//   Persistence    opens the store
//   SavedColors    the grid, and what people do with it
//   Routes         the same, over HTTP

// Files made here are for nobody but who made them.
umask(0o077)

do {
  let options = try ProgramOptions(CommandLine.arguments.dropFirst(), port: 8082)
  if options.wantsHelp {
    print(
      ProgramOptions.usage("saved-colours", "A grid of colours, in the browser.", port: 8082)
    )
  } else {
    let persistence = try Persistence(store: options.store)
    let server = WebServer(
      Routes(try SavedColors(persistence)).router,
      configuration: try options.configuration(of: "saved-colours", store: persistence.file)
    )
    try await server.run { announce("SavedColours is at \($0)") }
  }
} catch {
  FileHandle.standardError.write(Data("saved-colours: \(error.localizedDescription)\n".utf8))
  exit(1)
}
