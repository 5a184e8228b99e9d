public import Foundation

extension RichText {
  /// A sound or a film that is in the page itself.
  public struct EmbeddedMedia: Sendable {
    public let data: Data
    /// Its media type, which begins with `audio/` or `video/`: `audio/mpeg`.
    let type: String

    /// `nil` for other types.
    public init?(data: Data, type: String) {
      guard let name = type.wholeMatch(of: /(?:audio|video)\/[a-z0-9.+-]{1,60}/) else { return nil }
      self.data = data
      self.type = String(name.output)
    }

    var isVideo: Bool { type.hasPrefix("video/") }
  }
}
