import CoreDataHTTP
import CoreDataSyncCore
import CoreDataSyncHTTP
import Foundation

/// The devices' name for a server: the part before the zone in its addresses.
enum ServerName {
  /// The name given with `--public-url`, such as `https://notes.example.org`.
  case told(String)
  /// The address at which it listens.
  case listening(ListeningAddress)

  /// Takes what was said with `--public-url`.
  init(publicURL text: String, of arguments: CommandArguments) throws {
    let name = String(text.reversed().drop { $0 == "/" }.reversed())
    guard let parts = URLComponents(string: name),
      parts.scheme == "https" || parts.scheme == "http", parts.host?.isEmpty == false,
      parts.user == nil, parts.query == nil, parts.fragment == nil,
      // A name that would not come back from an address is refused.
      (try? SyncAddress(Self.sample(of: name)))?.server == name
    else {
      throw arguments.mistake(
        "--public-url takes what devices reach the server at, as in https://notes.example.org"
      )
    }
    self = .told(name)
  }

  private static func sample(of server: String) -> String {
    let token = String(repeating: "0", count: SyncAddress.tokenLength)
    return SyncAddress(server: server, zone: "Notes", token: token).description
  }
}

extension ServerName {
  /// The name as addresses have it.
  ///
  /// - Throws: A refusal if the server listens at all addresses of a machine that does not have any for others.
  var text: String {
    get throws {
      switch self {
      case .told(let name): return name
      case .listening(let address):
        guard let first = address.reachable.first else {
          throw Refusal(
            "\(address.host) names no machine, and this one has no address of its own; say with --public-url what devices reach"
          )
        }
        return first.text
      }
    }
  }

  /// The advice about an address with this name; `nil` if it is the only one.
  var advice: String? {
    switch self {
    case .told: nil
    case .listening(let address):
      switch address.reachable.dropFirst().map(\.text) {
      case let others where others.isEmpty: nil
      case let others:
        """
        This machine is also \(others.prefix(8).joined(separator: " and ")). Where devices reach it by another name than \
        the address has, choose that with --public-url and --new-token.
        """
      }
    }
  }
}
