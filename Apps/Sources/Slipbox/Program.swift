import CoreDataWebServer
import Foundation
import SlipboxLibrary

/// The program: opens the slip box, serves it, and ends in order when it is asked to.
struct Program {
  let options: Options

  init(_ options: Options) {
    self.options = options
  }

  func run() async throws {
    let folder = options.store ?? Self.defaultStore(besides: options.database)
    let library = try await open(folder)
    if let count = options.fill {
      try await library.fill(notes: count)
    } else if options.hasSamples {
      try await library.addSamplesIfNew()
    }
    let housekeeping = keepHouse(library)
    defer { housekeeping.cancel() }
    let server = WebServer(
      SlipboxRouter(library, pages: Self.pages, reach: reach, theme: options.theme).router,
      configuration: try configuration(folder)
    )
    try await server.run { url in
      // The program's starter waits for this line.
      print("Slipbox is at \(url.absoluteString)")
      fflush(nil)
    }
    // It must not read a store that is closed.
    housekeeping.cancel()
    await housekeeping.value
    library.close()
    library.closeStore()
  }

  /// Deletes everything that is due, now and every hour; once prepares for searches, after the first page.
  private func keepHouse(_ library: Library) -> Task<Void, Never> {
    Task {
      // It throws if the program ends, which is checked next.
      try? await Task.sleep(for: .seconds(1))
      if !Task.isCancelled { await complaining { try await library.warmUp() } }
      while !Task.isCancelled {
        // If the store cannot be written now, it can in an hour.
        await complaining { try await library.purge() }
        try? await Task.sleep(for: .seconds(3600))
      }
    }
  }

  /// Nobody waits for it: failures are reported on standard error, and the program goes on.
  private func complaining(_ work: () async throws -> Void) async {
    do {
      try await work()
    } catch is CancellationError {
      // The program ends.
    } catch {
      FileHandle.standardError.write(Data("slipbox: \(error.localizedDescription)\n".utf8))
    }
  }

  private func open(_ folder: URL) async throws -> Library {
    do {
      if let database = options.database {
        return try Library(database, folder: folder, clocks: ClockReading.system)
      }
      if options.hasSamples, options.fill == nil {
        try await Library.beginWithSamples(in: folder)
      }
      return try Library(folder: folder, clocks: ClockReading.system)
    } catch  where options.database != nil {
      throw OpeningError(
        errorDescription: "The notes in the database cannot be opened: \(Self.words(for: error))"
      )
    } catch {
      throw OpeningError(
        errorDescription:
          "The notes in \(folder.path) cannot be opened: \(Self.words(for: error)) "
          + "Nothing was changed\(Self.guess(for: error)). --store FOLDER takes others."
      )
    }
  }

  /// Returns a likely cause that the error itself cannot know, in brackets.
  private static func guess(for error: any Error) -> String {
    if Library.isOfAnotherModel(error) { return " (perhaps a newer slipbox has written them)" }
    switch (error as? CocoaError)?.code {
    case .fileReadNoPermission, .fileWriteNoPermission:
      return " (perhaps they belong to somebody else)"
    case _: return ""
    }
  }

  /// The reason says why notes cannot be opened: that the disk is full, or that a database does not let its user in.
  private static func words(for error: any Error) -> String {
    let error = error as NSError
    let parts = [
      error.localizedDescription, error.localizedFailureReason, error.localizedRecoverySuggestion,
    ]
    return parts.compactMap(\.self).reduce("") { text, part in
      text.contains(part) ? text : text.isEmpty ? part : "\(text) \(part)"
    }
  }

  private struct OpeningError: LocalizedError {
    let errorDescription: String?
  }

  private var reach: Reach {
    Reach(
      isLocal: ["127.0.0.1", "::1", "localhost"].contains(options.host),
      names: options.allowedHosts
    )
  }

  private func configuration(_ folder: URL) throws -> ServerConfiguration {
    var configuration = ServerConfiguration(
      host: options.host,
      port: options.port,
      allowedHosts: options.allowedHosts
    )
    let file = folder.appendingPathComponent("access-key")
    configuration.key =
      options.wantsNewKey
      ? AccessKey(program: "slipbox", in: file)
      : try AccessKey.kept(in: file, program: "slipbox")
    configuration.uploadFolder = folder.appendingPathComponent("uploads", isDirectory: true)
    configuration.securityHeaders.contentSecurityPolicy = """
      default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; connect-src 'self'; \
      style-src 'self'; script-src 'self'; font-src 'self'; worker-src 'self'; manifest-src 'self'; \
      base-uri 'none'; form-action 'none'; object-src 'none'; frame-ancestors 'none'
      """
    // For memos. Other sites cannot put these pages into theirs.
    configuration.securityHeaders.permissionsPolicy =
      "camera=(), geolocation=(), microphone=(self)"
    configuration.accessLog = .off
    configuration.clientField = Request.clientField
    return configuration
  }

  /// `$XDG_DATA_HOME/slipbox`, usually `~/.local/share/slipbox`; the folder `database` in it where the notes are in
  /// a database.
  private static func defaultStore(besides database: DatabasePlace?) -> URL {
    let data = ProcessInfo.processInfo.environment["XDG_DATA_HOME"].map {
      URL(fileURLWithPath: $0, isDirectory: true)
    }
    let base =
      data
      ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/share")
    let folder = base.appendingPathComponent("slipbox", isDirectory: true)
    return database == nil
      ? folder : folder.appendingPathComponent("database", isDirectory: true)
  }

  private static var pages: URL? {
    Bundle.module.resourceURL?.appendingPathComponent("Web", isDirectory: true)
  }
}
