import CoreData

/// The reason why no connection was made, derived from libpq's words: libpq does not hand on the state that a server
/// gave.
///
/// libpq's own words are English (``LibPQConnection`` sees to that), and the server's are in the language that it was
/// configured for. If the words are unknown, libpq is asked once more, for the state alone (``state(shownIn:)``); a
/// refusal without a state is a refusal all the same, and not a temporary one.
package struct ConnectionRefusal {
  /// A state of the server, or one of ours; empty if there was no answer.
  package let state: String
  /// Whether the words are not known, so that the state follows from other facts.
  package let isGuessed: Bool

  /// The fate of the password.
  package enum Password {
    case unasked
    /// The server wanted one, and did not get it.
    case missing
    /// A server was given one: the one that refused, or one before it in the address.
    case sent
  }

  package init(_ words: String, password: Password) {
    let known = Self.known.first { $0.words.contains { Self.isSaid($0, in: words) } }
    state = known?.state ?? Self.state(ofUnknown: words, password)
    isGuessed = known == nil && !Self.hasEnded(words)
  }

  /// The state in libpq's words, if libpq was told to show nothing else: `FATAL:  28P01`.
  ///
  /// Of several hosts the first counts.
  package static func state(shownIn words: String) -> String? {
    for line in words.split(whereSeparator: \.isNewline) {
      guard let match = line.firstMatch(of: /:  ([0-9A-Z]{5})$/) else { continue }
      let state = String(match.1)
      return isOfSetting(state) ? PostgreSQLError.badSettingState : state
    }
    return nil
  }

  /// Whether a server says so of a setting that it cannot read, does not know or must not change.
  private static func isOfSetting(_ state: String) -> Bool {
    ["22023", "42704", "42602", "55P02"].contains(state)
  }

  private static func state(ofUnknown words: String, _ password: Password) -> String {
    if words.contains("FATAL:") { return PostgreSQLError.refusedState }
    if hasEnded(words) { return "" }
    switch password {
    case .missing: return "28P01"
    case .sent: return PostgreSQLError.refusedState
    case .unasked: return ""
    }
  }

  /// Whether words have all parts of a saying, whose gaps are names.
  private static func isSaid(_ saying: String, in words: String) -> Bool {
    saying.split(separator: "…").allSatisfy { words.contains($0) }
  }

  /// Whether nobody refused anything: the connection ended after the password was sent.
  private static func hasEnded(_ words: String) -> Bool {
    [
      "server closed the connection", "could not receive data", "could not send data",
      "timeout expired", "SSL SYSCALL", "SSL error", "Connection refused",
      "No such file or directory", "could not translate host name", "is unreachable",
      "No route to host",
    ]
    .contains { words.contains($0) }
  }

  /// The words that are known for a state.
  ///
  /// Several hosts may give different reasons; the first one counts.
  ///
  /// A pooler repeats what the server has told it, so it comes first.
  private static let known: [(state: String, words: [String])] = [
    (PostgreSQLError.poolerLoginState, ["server login", "pgbouncer cannot connect"]),
    ("28P01", ["password authentication failed", "no password supplied"]),
    ("3D000", ["database \"…does not exist", "no such database"]),
    (
      "53300",
      [
        "too many clients", "too many connections", "connection slots",
        "no more connections allowed",
      ]
    ),
    (PostgreSQLError.refusedSettingState, ["unsupported startup parameter"]),
    ("42501", ["permission denied for database"]),
    (
      "28000",
      [
        "pg_hba.conf", "authentication failed", "not permitted to log in", "role \"…does not exist",
        "no such user",
      ]
    ),
    (
      PostgreSQLError.badSettingState,
      [
        "unrecognized configuration parameter", "invalid value for parameter",
        "permission denied to set parameter", "cannot be changed",
        "command-line argument", "invalid URI query parameter", "invalid connection option",
        "invalid integer value", "invalid port number", "sslmode value",
        "target_session_attrs value",
      ]
    ),
    (
      PostgreSQLError.unfitServerState,
      [
        "session is read-only", "session is not read-only", "server is in hot standby mode",
        "server is not in hot standby mode",
      ]
    ),
    ("57P03", ["the database system is ", "is shutting down"]),
    ("57P01", ["terminating connection"]),
    (PostgreSQLError.unsecuredState, ["certificate", "SSL was required", "sslmode"]),
  ]
}
