/// A path with places for values: `/api/notes/:id/versions/:version`.
struct RoutePattern: Sendable {
  enum Piece: Sendable, Equatable {
    case literal(String)
    case value(String)
  }

  let text: String
  let pieces: [Piece]

  init(_ text: String) {
    precondition(text.hasPrefix("/"), "the pattern \(text) must begin with a slash")
    self.text = text
    pieces = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
      $0.hasPrefix(":") ? .value(String($0.dropFirst())) : .literal(String($0))
    }
  }

  /// The values at their places, or nil when the path is another one.
  func match(_ segments: [String]) -> [String: String]? {
    guard segments.count == pieces.count else { return nil }
    var values: [String: String] = [:]
    for (piece, segment) in zip(pieces, segments) {
      switch piece {
      case .literal(let text): guard text == segment else { return nil }
      case .value(let name):
        guard !segment.isEmpty else { return nil }
        values[name] = segment
      }
    }
    return values
  }

  /// Whether this pattern says more than another that matches the same path: `/notes/new` comes
  /// before `/notes/:id`, in whatever order they were added.
  func isMoreExact(than other: RoutePattern) -> Bool {
    for (mine, theirs) in zip(pieces, other.pieces) {
      switch (mine, theirs) {
      case (.literal, .value): return true
      case (.value, .literal): return false
      case (.literal, .literal), (.value, .value): continue
      }
    }
    return false
  }
}

/// The place of a request's body while it arrives.
public enum BodyPlace: Sendable {
  /// `request.body`, up to the configuration's `bodyLimit`.
  case memory
  /// `request.upload`, a file, up to the configuration's `uploadLimit`.
  case file
  /// The same, up to the configuration's `archiveLimit`.
  case archive
  /// `request.parts`, the fields of a form, each a file, together up to `uploadLimit`.
  case parts
}

public typealias Handler = @Sendable (Request) async throws -> Response

/// The handler of a method on a pattern.
struct Route: Sendable {
  let method: Method
  let pattern: RoutePattern
  let body: BodyPlace
  let handler: Handler
  /// The name of the value that is a secret and takes the place of the key; `nil` if the key is needed.
  var secret: String?
}
