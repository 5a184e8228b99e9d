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

  public init(status: Int, message: String, details: (any Encodable & Sendable)? = nil) {
    self.init(status, message, details: details)
  }

  /// The problem as an answer.
  public var response: Response {
    let body =
      (try? JSON.encoder().encode(ProblemBody(problem: self))) ?? Data(#"{"error":""}"#.utf8)
    return Response(
      status: status,
      headers: ["Content-Type": ContentType.json],
      body: .data(body)
    )
  }
}

extension Problem: LocalizedError {
  public var errorDescription: String? { message }
}

private struct ProblemBody: Encodable {
  let problem: Problem

  func encode(to encoder: any Encoder) throws {
    try problem.details?.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(problem.message, forKey: .error)
  }

  enum Key: CodingKey {
    case error
  }
}
