/// Lets in who has the key, and gives it to whoever comes by the printed address.
struct Doorkeeper: Sendable {
  enum Finding: Sendable {
    case known
    /// The address carried the key: the browser shall keep it, and go on without it in the address.
    case arrived(Response)
    case unknown(Response)
  }

  private let key: AccessKey?
  private let cookie: String

  /// Cookies do not know ports, so the name of ours says which server it is for.
  init(_ key: AccessKey?, port: Int) {
    self.key = key
    cookie = "\(key?.program ?? "")-\(port)"
  }

  func look(at method: Method, _ target: RequestTarget, _ headers: Headers) -> Finding {
    guard let key else { return .known }
    if method == .get, target.path == "/", let sent = target.query[Self.parameter] {
      return key.isSame(sent) ? .arrived(welcome(key)) : .unknown(refusal(headers))
    }
    return headers.cookies(named: cookie).contains(where: key.isSame)
      ? .known : .unknown(refusal(headers))
  }

  /// The address of a server with its key.
  static func address(_ base: String, _ key: AccessKey?) -> String {
    key.map { "\(base)?\(parameter)=\($0.secret)" } ?? base
  }

  private static let parameter = "access"

  /// 400 days, the most that browsers grant.
  private static let lifetime = 34_560_000

  private func welcome(_ key: AccessKey) -> Response {
    Response.redirect(to: "/")
      .with(
        "Set-Cookie",
        "\(cookie)=\(key.secret); Path=/; Max-Age=\(Self.lifetime); HttpOnly; SameSite=Strict"
      )
      .with("Cache-Control", "no-store")
  }

  /// People see a page, programs a problem.
  private func refusal(_ headers: Headers) -> Response {
    let wantsPage = headers["Accept"]?.contains("text/html") ?? false
    let response = wantsPage ? .html(Self.page, status: 401) : Problem(401, Self.sentence).response
    return response.with("WWW-Authenticate", "Link").with("Cache-Control", "no-store")
  }

  private static let sentence = """
    This browser is not known here: open the address that the program printed when it was started.
    """

  private static let page = """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Not known here</title>
    <main>
    <h1>This browser is not known here</h1>
    <p>Open the address that the program printed when it was started. It has a key in it; the browser keeps \
    the key, so once is enough.</p>
    <p>Did you come from that address just now? <a href="/">Go on</a></p>
    </main>
    </html>
    """
}

extension Headers {
  /// The values of a cookie: `a=1; b=2`.
  fileprivate func cookies(named name: String) -> [String] {
    all("Cookie").flatMap { $0.split(separator: ";") }.compactMap { pair in
      let pair = pair.drop { $0 == " " }
      guard pair.hasPrefix("\(name)=") else { return nil }
      return String(pair.dropFirst(name.count + 1))
    }
  }
}
