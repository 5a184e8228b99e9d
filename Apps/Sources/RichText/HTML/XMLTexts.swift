public import Foundation

/// The texts of a file of XML, each with the path of the elements it is in.
///
/// ```
/// <note><title>Slots</title><tag>memory</tag></note>
/// ("note/title", "Slots") · ("note/tag", "memory")
/// ```
///
/// Entities and further files that a file may speak of are not read.
public struct XMLTexts: Sequence {
  private let bytes: [UInt8]

  /// The texts of a file.
  ///
  /// - Parameter data: The file, in UTF-8.
  public init(_ data: Data) {
    bytes = Array(data)
  }

  public func makeIterator() -> Iterator {
    Iterator(tokens: XMLTokens(bytes))
  }

  public struct Iterator: IteratorProtocol {
    var tokens: XMLTokens
    private var path: [String] = []
    private static let maximumDepth = 100

    init(tokens: XMLTokens) {
      self.tokens = tokens
    }

    public mutating func next() -> (path: String, text: String)? {
      var text = ""
      while let token = tokens.next() {
        switch token {
        case .text(let more), .literal(let more): text += more
        case .start(let name, let isClosed):
          text = ""
          if !isClosed, path.count < Self.maximumDepth { path.append(name) }
        case .end(let name):
          guard let index = path.lastIndex(of: name) else { continue }
          let place = path.joined(separator: "/")
          path.removeSubrange(index...)
          if !text.isEmpty { return (place, text) }
        }
      }
      return nil
    }
  }
}
