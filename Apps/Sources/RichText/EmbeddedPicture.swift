public import Foundation

extension RichText {
  /// A picture that leaves with a text, in one file.
  public struct EmbeddedPicture: Sendable {
    /// Kinds that others read: RTF has a word for the first two only.
    public enum Kind: String, Sendable {
      case jpeg, png, webp, gif, avif
      case svg = "svg+xml"
    }

    public let data: Data
    let kind: Kind
    /// The words for people who do not see it.
    let name: String
    /// In pixels; nil if that is not known.
    let size: (width: Int, height: Int)?

    public init(data: Data, kind: Kind, name: String, size: (width: Int, height: Int)? = nil) {
      self.data = data
      self.kind = kind
      self.name = name
      self.size = size
    }
  }
}
