public import Foundation

/// The pictures and files of a text, as a page has them: in itself, or at addresses.
public struct PageFiles: Sendable {
  /// A picture: its address, which may be that of data, and the words for people who do not see it.
  public struct Picture: Sendable {
    let address: String
    let name: String

    public init(address: String, name: String) {
      self.address = address
      self.name = name
    }

    init(_ picture: RichText.EmbeddedPicture) {
      address = "data:image/\(picture.kind.rawValue);base64,\(picture.data.base64EncodedString())"
      name = picture.name
    }
  }

  /// The form in which a file is on the page.
  public enum File: Sendable {
    /// By its name alone.
    case name
    case download(address: String)
    case player(address: String, isVideo: Bool)
  }

  /// Gives a picture of the text; `nil` if the page has its caption alone.
  let picture: @Sendable (UUID) -> Picture?
  let file: @Sendable (UUID) -> File

  public init(
    picture: @escaping @Sendable (UUID) -> Picture?,
    file: @escaping @Sendable (UUID) -> File
  ) {
    self.picture = picture
    self.file = file
  }

  /// Pictures, sounds and films that are in the page itself; of other files it has the names.
  init(
    _ pictures: [UUID: RichText.EmbeddedPicture],
    _ media: [UUID: RichText.EmbeddedMedia] = [:]
  ) {
    self.init {
      pictures[$0].map(Picture.init)
    } file: {
      guard let known = media[$0] else { return .name }
      let address = "data:\(known.type);base64,\(known.data.base64EncodedString())"
      return .player(address: address, isVideo: known.isVideo)
    }
  }
}
