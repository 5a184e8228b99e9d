import Foundation

/// The options on the command line.
enum Options: Equatable {
  case help
  /// Runs the examples, on a file or on the program's own store.
  case run(store: URL?)

  static let usage = """
    USAGE: bookstore [--store FILE]

    Fills a store with books, then fetches, observes and validates them. Books and
    categories that are in it already are deleted first.

      --store FILE   where the SQLite file is or shall be;
                     otherwise the program's folder for data of the user
      --help         this text
    """

  init(_ arguments: some Collection<String>) throws {
    var arguments = Array(arguments)[...]
    var store: URL?
    while let argument = arguments.popFirst() {
      switch argument {
      case "--help", "-h":
        self = .help
        return
      case "--store":
        // The next option is not a path, nor is an empty variable of the shell.
        guard let path = arguments.popFirst(), !path.isEmpty, !path.hasPrefix("--") else {
          throw OptionsError.missingFile
        }
        store = URL(fileURLWithPath: path)
      case _:
        throw OptionsError.unknown(argument)
      }
    }
    self = .run(store: store)
  }
}

enum OptionsError: LocalizedError, Equatable {
  case missingFile
  case unknown(String)

  var errorDescription: String? {
    switch self {
    case .missingFile: "--store needs the path of a file; see bookstore --help"
    case .unknown(let argument): "unknown argument \(argument); see bookstore --help"
    }
  }
}
