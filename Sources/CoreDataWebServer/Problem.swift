public import Foundation

/// An answer with the problem, in a sentence.
///
///     throw Problem(404, "There is no note with this id.")
///
/// becomes `{"error": "There is no note with this id."}`; the fields of `details` are beside it.
public struct Problem: Error, Sendable {
  public let status: Int
  public let message: String
  public let details: (any Encodable & Sendable)?
  /// The seconds after which the same may succeed, if that is known.
  public let retryAfter: Int?

  public init(
    _ status: Int,
    _ message: String,
    details: (any Encodable & Sendable)? = nil,
    retryAfter: Int? = nil
  ) {
    self.status = status
    self.message = message
    self.details = details
    self.retryAfter = retryAfter
  }

  /// The problem as an answer.
  public var response: Response {
    Response(status: status, headers: ["Content-Type": ContentType.json], body: .data(body))
      .with("Retry-After", retryAfter.map { "\($0)" })
  }
}

extension Problem: LocalizedError {
  public var errorDescription: String? { message }
}

extension Problem {
  /// The reason why a store's file cannot be written, if waiting or making room helps; `nil` for other errors.
  init?(disk error: any Error) {
    // SQLite's numbers, which Core Data hands on.
    switch (error as? CocoaError)?.userInfo["NSSQLiteErrorDomain"] as? Int {
    case 5, 6: self.init(503, "Another program keeps the file locked. Try again in a moment.")
    case 8: self.init(503, "This was not saved: the file or its folder is read-only.")
    case 1032:
      self.init(
        503,
        "This was not saved: the file of the store was removed or replaced while the program ran."
      )
    case 13: self.init(507, "The disk is full: this was not saved.")
    case _: return nil
    }
  }
}

extension Problem {
  /// The details with the sentence among their fields; details that are not an object are in a field of their own.
  private var body: Data {
    let sentence = Self.json(["error": message])
    guard let details else { return sentence }
    let encoded = Self.json(details)
    if encoded == Data("{}".utf8) { return sentence }
    let fields =
      encoded.first == UInt8(ascii: "{")
      ? encoded : Data(#"{"details":"#.utf8) + encoded + Data("}".utf8)
    return fields.dropLast() + Data(",".utf8) + sentence.dropFirst()
  }

  private static func json(_ value: some Encodable) -> Data {
    // A number such as infinity cannot be JSON; the sentence is what matters.
    (try? JSON.encoder().encode(value)) ?? Data("{}".utf8)
  }
}
