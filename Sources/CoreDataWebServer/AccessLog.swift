public import Foundation
import Synchronization

/// The destination of a line for each request.
///
///     2026-11-20T15:30:00.000Z GET /api/notes 200 1432 bytes 3.1 ms
///
/// Queries are left out: people search for private things.
public struct AccessLog: Sendable {
  private enum Place: Sendable {
    case nowhere
    case descriptor(Int32)
    case lines(@Sendable (String) -> Void)
  }

  private let place: Place

  public static let off = AccessLog(place: .nowhere)
  public static let standardError = AccessLog(place: .descriptor(2))

  /// A log at the end of a file, which is made if it does not exist.
  public static func file(_ url: URL) throws -> AccessLog {
    let descriptor = open(url.path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Problem(
        500,
        "The log \(url.path) cannot be written: \(String(cString: strerror(errno)))."
      )
    }
    return AccessLog(place: .descriptor(descriptor))
  }

  /// A log that hands its lines to a function.
  public static func lines(_ take: @escaping @Sendable (String) -> Void) -> AccessLog {
    AccessLog(place: .lines(take))
  }

  /// Reports an error that would otherwise be lost: on the standard error if there is no log.
  func report(_ text: String) {
    if case .nowhere = place {
      Self.standardError.write(text)
    } else {
      write(text)
    }
  }

  func write(_ text: @autoclosure () -> String) {
    switch place {
    case .nowhere: break
    case .lines(let take): take(text().printable)
    case .descriptor(let descriptor):
      let line = Array("\(JSON.text(of: Date())) \(text().printable)\n".utf8)
      // A log that cannot be written stops nobody's work.
      _ = line.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
    }
  }
}

extension String {
  /// The text on one line, without controls, so that no request can forge a line.
  fileprivate var printable: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? "?" : $0 }
      )
    )
  }
}
