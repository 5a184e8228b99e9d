public import Foundation

/// An answer that says what went wrong, in a sentence.
///
///     throw Problem(404, "There is no note with this id.")
///
/// becomes `{"error": "There is no note with this id."}`; the fields of `details` stand beside it.
public struct Problem: Error, Sendable {
  public let status: Int
  public let message: String
  public let details: (any Encodable & Sendable)?

  public init(_ status: Int, _ message: String, details: (any Encodable & Sendable)? = nil) {
    self.status = status
    self.message = message
    self.details = details
  }

  /// The problem as an answer.
  public var response: Response {
    Response(status: status, headers: ["Content-Type": ContentType.json], body: .data(body))
  }
}

extension Problem: LocalizedError {
  public var errorDescription: String? { message }
}

extension Problem {
  /// The details with the sentence among their fields; details that are no object stand in a field
  /// of their own.
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
    // A number such as infinity is no JSON; the sentence is what matters.
    (try? JSON.encoder().encode(value)) ?? Data("{}".utf8)
  }
}
