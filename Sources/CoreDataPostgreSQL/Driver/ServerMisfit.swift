import CoreData

/// The reason why a server or a database cannot have a store: texts or transactions would differ from those
/// elsewhere.
enum ServerMisfit: Equatable {
  /// The server is too old.
  case version(String)
  /// The database keeps texts in another form.
  case encoding(String)
  /// The server takes backslashes in texts for something else.
  case backslashes

  private static let oldestVersion = 13

  /// `nil` if nothing is in the way.
  ///
  /// `parameter` is what the server says of itself at the beginning of a connection.
  init?(_ parameter: (String) -> String?) {
    let version = parameter("server_version") ?? ""
    let encoding = parameter("server_encoding") ?? ""
    if Int(version.prefix { $0.isNumber }) ?? 0 < Self.oldestVersion {
      self = .version(version)
    } else if encoding != "UTF8" {
      self = .encoding(encoding)
    } else if parameter("standard_conforming_strings") == "off" {
      self = .backslashes
    } else {
      return nil
    }
  }

  var error: PostgreSQLError {
    switch self {
    case .version(let version):
      PostgreSQLError(
        state: PostgreSQLError.oldServerState,
        message: "it has the version \(version), and \(Self.oldestVersion) or a later one is needed"
      )
    case .encoding(let encoding):
      PostgreSQLError(
        state: PostgreSQLError.otherEncodingState,
        message: "its encoding is \(encoding), and UTF8 is needed"
      )
    case .backslashes:
      PostgreSQLError(
        state: PostgreSQLError.backslashesState,
        message: "standard_conforming_strings is off, and has to be on"
      )
    }
  }
}
