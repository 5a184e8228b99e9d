import Foundation

/// Lets requests with the key in, and gives the key to a browser that opens the printed address.
///
/// Wrong keys are counted for each address that they come from (`GuessLimit`). While an address is refused, it cannot bring the
/// key in its address, right or wrong, and a wrong cookie is told so. A browser that has the right cookie goes on, because
/// somebody else may be guessing behind the same proxy.
struct Doorkeeper: Sendable {
  enum Finding: Sendable {
    case known
    /// The address carried the key: the browser shall keep it, and go on without it in the address.
    case arrived(Response)
    case unknown(Response)
  }

  private let key: AccessKey?
  private let cookie: String
  private let guesses: GuessLimit
  /// In memory alone: a secret is too long to be found by guessing, and the limit spares the server work.
  private let wrongLinks: GuessLimit
  private let log: AccessLog

  /// Cookies do not know ports, so the name of ours says which server it is for.
  init(_ configuration: ServerConfiguration, port: Int) {
    key = configuration.key
    log = configuration.accessLog
    cookie = "\(key?.program ?? "")-\(port)"
    guesses = GuessLimit(
      file: key?.file?.appendingPathExtension("guesses"),
      log: log,
      window: configuration.guessWindow
    )
    wrongLinks = GuessLimit(of: .links, file: nil, log: log, window: configuration.guessWindow)
  }

  /// Returns what to do with a request that came from an address of the network.
  func look(
    at method: Method,
    _ target: RequestTarget,
    _ headers: Headers,
    from address: String
  ) -> Finding {
    guard let key else { return .known }
    if method == .get, target.path == "/", let sent = target.query[Self.parameter] {
      if let wait = guesses.wait(of: address) { return .unknown(refusal(headers, wait)) }
      guard key.isSame(sent) else {
        return .unknown(refusal(headers, guesses.count(of: address)))
      }
      log.report("A browser at \(address) was let in with the access key")
      return .arrived(welcome(key, headers))
    }
    // One request cannot try many keys at once; a browser has one cookie of this name, or two after a new key.
    let cookies = headers.cookies(named: cookie).prefix(4)
    if cookies.contains(where: key.isSame) { return .known }
    let waits = cookies.compactMap { guesses.count(cookie: $0, of: address) }
    return .unknown(refusal(headers, waits.last))
  }

  /// Returns the answer to a wrong link, which says the same for a secret that never was and for one that is over.
  ///
  /// Wrong links are not counted among wrong keys: otherwise a reader of old links would keep others behind the same proxy
  /// from bringing their key.
  func refuse(link secret: String, from address: String) -> Response {
    guard let wait = wrongLinks.count(cookie: secret, of: address) else {
      let words = "<p>The link may be mistyped, or its owner has ended it.</p>"
      return .html(Self.page("There is nothing here", words), status: 404)
    }
    let sentence =
      "Too many wrong links came from here. Try again in \(GuessLimit.words(seconds: wait))."
    return .html(Self.page("Too many wrong links", "<p>\(sentence)</p>"), status: 429)
      .with("Retry-After", "\(wait)")
  }

  /// The address of a server with its key.
  static func address(_ base: String, _ key: AccessKey?) -> String {
    key.map { "\(base)?\(parameter)=\($0.secret)" } ?? base
  }

  private static let parameter = "access"

  /// 400 days, the most that browsers grant.
  private static let lifetime = 34_560_000

  /// Gives the key to a browser, for encrypted connections alone if a proxy says that this is one.
  private func welcome(_ key: AccessKey, _ headers: Headers) -> Response {
    let secure = headers.areOfEncryptedConnection ? "; Secure" : ""
    return Response.redirect(to: "/")
      .with(
        "Set-Cookie",
        "\(cookie)=\(key.secret); Path=/; Max-Age=\(Self.lifetime); HttpOnly; SameSite=Strict\(secure)"
      )
      .with("Cache-Control", "no-store")
  }

  /// Returns a page for people and a problem for programs: the browser is not known, or its address must wait for some
  /// seconds.
  private func refusal(_ headers: Headers, _ wait: Int?) -> Response {
    let wantsPage = headers["Accept"]?.contains("text/html") ?? false
    let response: Response
    if let wait {
      let sentence =
        "Too many wrong keys came from here. Try again in \(GuessLimit.words(seconds: wait))."
      response =
        wantsPage
        ? .html(Self.page("Too many wrong keys", "<p>\(sentence)</p>"), status: 429)
          .with("Retry-After", "\(wait)")
        : Problem(429, sentence, retryAfter: wait).response
    } else {
      response =
        (wantsPage
        ? .html(Self.page("This browser is not known here", Self.advice), status: 401)
        : Problem(401, Self.sentence).response)
        .with("WWW-Authenticate", "Link")
    }
    return response.with("Cache-Control", "no-store")
  }

  private static let sentence = """
    This browser is not known here: open the address that the program printed when it was started.
    """

  private static let advice = """
    <p>Open the address that the program printed when it was started. It has a key in it; the browser keeps \
    the key, so once is enough.</p>
    <p>Did you come from that address just now? <a href="/">Go on</a></p>
    """

  private static func page(_ title: String, _ text: String) -> String {
    """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(title)</title>
    <main>
    <h1>\(title)</h1>
    \(text)
    </main>
    </html>
    """
  }
}
