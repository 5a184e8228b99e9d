/// Fields that tell browsers to be careful; every answer carries them, unless it sets its own.
public struct SecurityHeaders: Sendable {
  /// The sources of a page: things from here, and pictures that scripts made.
  public var contentSecurityPolicy = """
    default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
    connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; \
    frame-ancestors 'none'
    """

  /// The devices that pages may ask for; none, and only a program that needs one names it.
  public var permissionsPolicy = "camera=(), geolocation=(), microphone=()"

  public init() {}

  func fill(_ headers: inout Headers) {
    headers.fill("Content-Security-Policy", contentSecurityPolicy)
    headers.fill("Permissions-Policy", permissionsPolicy)
    headers.fill("X-Content-Type-Options", "nosniff")
    headers.fill("Referrer-Policy", "no-referrer")
    headers.fill("Cross-Origin-Opener-Policy", "same-origin")
    headers.fill("Cross-Origin-Resource-Policy", "same-origin")
    headers.fill("X-Frame-Options", "DENY")
  }
}
