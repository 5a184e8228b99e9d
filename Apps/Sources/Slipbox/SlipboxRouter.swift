import CoreDataWebServer
import Foundation
import Look
import SlipboxLibrary

/// The addresses of the program, and the routes behind each.
///
/// ```
/// /api/overview /api/notes /api/folders /api/keywords /api/suggest      JSON over the library
/// /api/references?text=… /api/references/cited?key=…&key=…              works in files of references
/// /api/undo/TOKEN  /api/events                                          acts taken back; live changes
/// /api/sync                                                             other devices
/// /api/published  /p/SECRET                                             published notes, and their pages without the key
/// /api/lock                                                             the lock, which all others under /api obey
/// everything else                                                       the pages
/// ```
struct SlipboxRouter {
  private(set) var router = Router()
  let library: Library
  let jobs = JobShelf()
  let originals: HeldOriginals
  let reach: Reach
  let theme: Theme
  let lock: SlipboxLock

  /// - Parameters:
  ///   - library: The slip box.
  ///   - pages: The folder of the pages; `nil` for the routes alone.
  ///   - reach: The addresses under which others can reach the server.
  ///   - theme: The file with the owner's styles, unless it is `theme.css` in the folder of the slip box.
  ///   - lock: The lock, unless it is that of the folder of the slip box.
  init(
    _ library: Library,
    pages: URL?,
    reach: Reach = Reach(),
    theme: URL? = nil,
    lock: SlipboxLock? = nil
  ) {
    self.library = library
    self.lock = lock ?? SlipboxLock(in: library.folder)
    self.reach = reach
    self.theme = Theme(theme ?? library.folder.appendingPathComponent("theme.css"))
    originals = HeldOriginals(in: library.folder)
    addOverview()
    addNotes()
    addReferences()
    addTrash()
    addAttachments()
    addVersions()
    addWordings()
    addExchange()
    addFiles()
    addFolders()
    addKeywords()
    addKit()
    addMany()
    addSync()
    addPublishing()
    addEvents()
    addLock()
    addTheme()
    if let pages { addPages(pages) }
  }

  /// Adds a route whose problems are told in words.
  ///
  /// Under `/api`, a browser that is locked does not get to the handler.
  mutating func add(
    _ method: Method,
    _ pattern: String,
    body: BodyPlace = .memory,
    _ handler: @escaping Handler
  ) {
    let isOpen = !pattern.hasPrefix("/api/")
    addRoute(method, pattern, body, isOpen ? handler : lock.guarding(handler))
  }

  /// Adds a route that a locked browser may ask, too.
  mutating func addForLocked(_ method: Method, _ pattern: String, _ handler: @escaping Handler) {
    addRoute(method, pattern, .memory, handler)
  }

  private mutating func addRoute(
    _ method: Method,
    _ pattern: String,
    _ body: BodyPlace,
    _ handler: @escaping Handler
  ) {
    let handler = Self.telling(handler)
    switch method {
    case .get: router.get(pattern, handler)
    case .post: router.post(pattern, body: body, handler)
    case .put: router.put(pattern, body: body, handler)
    case .patch: router.patch(pattern, body: body, handler)
    case .delete: router.delete(pattern, handler)
    case .head, .options: preconditionFailure("the server answers \(method) by itself")
    }
  }

  /// Adds a route for everybody who knows the secret in its address.
  mutating func addOpen(_ pattern: String, _ handler: @escaping Handler) {
    router.get(pattern, openedBy: "secret", Self.telling(handler))
  }

  private static func telling(_ handler: @escaping Handler) -> Handler {
    { request in
      do {
        return try await handler(request)
      } catch let problem as LibraryProblem {
        throw Problem(problem)
      } catch let error as CocoaError {
        throw Problem(store: error) ?? error
      }
    }
  }

  /// The policy of the page that draws diagrams, in a frame of the page.
  ///
  /// Mermaid writes styles into its pictures and measures them with these styles, so this page allows them, and the page
  /// around it does not. It reaches nothing but scripts of this server.
  private static let policyForDiagrams = """
    default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'self'
    """

  private mutating func addTheme() {
    let theme = theme
    add(.get, "/theme.css") { _ in theme.response() }
  }

  /// Serves the pages; a path that is not a file is a place in the app, whose page finds its own way.
  private mutating func addPages(_ folder: URL) {
    router.get("/sw.js") { _ in
      .file(at: folder.appendingPathComponent("sw.js")).with("Cache-Control", "no-cache")
    }
    router.get("/look/tokens.css") { _ in
      .file(at: Look.folder.appendingPathComponent("tokens.css"))
    }
    router.get("/view/diagramFrame.html") { _ in
      .file(at: folder.appendingPathComponent("view/diagramFrame.html"))
        .with("Content-Security-Policy", Self.policyForDiagrams)
        .with("X-Frame-Options", "SAMEORIGIN")
    }
    router.files(under: "/", from: folder)
    router.page(folder.appendingPathComponent("index.html"), except: "api")
  }
}

extension Problem {
  /// The reason why the store cannot be written, if waiting or making room would help; `nil` for others.
  init?(store error: CocoaError) {
    guard let trouble = StoreTrouble(error) else { return nil }
    self.init(trouble == .full ? 507 : 503, trouble.sentence)
  }

  /// The same problem with the number that HTTP has for it.
  init(_ problem: LibraryProblem) {
    let sentence = problem.errorDescription ?? ""
    switch problem {
    case .missing: self.init(404, sentence)
    case .refused: self.init(400, sentence)
    case .tooLarge: self.init(413, sentence)
    case .unsuitable: self.init(415, sentence)
    case .expired: self.init(410, sentence)
    case .busy, .unable: self.init(503, sentence)
    case .stale(let newer, let copy):
      self.init(409, sentence, details: Conflict(newer: newer, copy: copy))
    }
  }

  /// Both texts of an edit that came too late.
  private struct Conflict: Encodable, Sendable {
    let newer: NoteContent
    let copy: NoteRow
  }
}
