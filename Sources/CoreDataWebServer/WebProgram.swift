import Foundation

/// A program that is a web server: its command line, its help, and the sentence with which it ends if it cannot go on.
///
///     await WebProgram("notes", "Notes with categories, in the browser.", port: 8081).run { options in
///       try await WebServer(router, configuration: options.configuration).run { announce("Notes are at \($0)") }
///     }
public struct WebProgram: Sendable {
  private let name: String
  private let summary: String
  private let port: Int
  private let counts: Set<String>
  private let addresses: Set<String>
  private let help: String
  private let hasKey: Bool

  /// Creates a program.
  ///
  /// - Parameters:
  ///   - name: The name of the program, as it is typed.
  ///   - summary: A sentence for the help.
  ///   - port: The port to listen at if the command line names none.
  ///   - counts: Options of the program that take a number.
  ///   - addresses: Options of the program that take the address of a database.
  ///   - help: The lines of the help that describe these options.
  ///   - hasKey: `false` for a program that lets everybody in.
  public init(
    _ name: String,
    _ summary: String,
    port: Int,
    counts: Set<String> = [],
    addresses: Set<String> = [],
    help: String = "",
    hasKey: Bool = true
  ) {
    self.name = name
    self.summary = summary
    self.port = port
    self.counts = counts
    self.addresses = addresses
    self.help = help
    self.hasKey = hasKey
  }

  /// The help: options of all such programs, and those that are its own.
  var usage: String {
    let own = counts.sorted().map { "[\($0) N]" } + addresses.sorted().map { "[\($0) ADDRESS …]" }
    return ProgramOptions.usage(name, summary, port: port, own: own, hasKey: hasKey)
      + help
  }

  /// Serves as the command line says; files that the program makes are for nobody but who runs it.
  @MainActor
  public func run(_ serve: (ProgramOptions) async throws -> Void) async {
    umask(0o077)
    do {
      let arguments = ProgramOptions.arguments(of: name)
      let options = try ProgramOptions(
        arguments,
        port: port,
        counts: counts,
        addresses: addresses,
        hasKey: hasKey
      )
      if options.wantsHelp {
        print(usage)
      } else {
        try await serve(options)
      }
    } catch {
      FileHandle.standardError.write(Data("\(name): \(Self.sentence(for: error))\n".utf8))
      exit(1)
    }
  }

  /// The event and, if the error knows it, the reason: which file it was.
  private static func sentence(for error: any Error) -> String {
    [error.localizedDescription, (error as NSError).localizedFailureReason]
      .compactMap { $0 }
      .joined(separator: " ")
  }
}
