/// The reason why the server refuses a request before its program has seen it.
public struct HTTPRefusal: Error, Sendable, Equatable {
  /// The status of the answer: 400, 408 or 431.
  public let status: Int
  /// A sentence for people.
  public let sentence: String

  init(_ status: Int, _ sentence: String) {
    self.status = status
    self.sentence = sentence
  }

  static let tooManyFields = HTTPRefusal(
    431,
    "The request has more fields and cookies than there is room for."
  )

  /// The refusal of an address with a NUL in it, at which C functions would cut the path or an argument.
  static let addressWithNUL = HTTPRefusal(
    400,
    "The address has a NUL (%00) in it; leave that out."
  )

  /// The refusal of a body of which too little came within a time.
  static func tooSlow(_ bytes: Int, in time: Duration) -> HTTPRefusal {
    HTTPRefusal(
      408,
      """
      Less than \(bytes >> 10) kB of the body came within \(time.components.seconds) seconds, and the rest was not \
      waited for. Nothing of it was taken; send it again.
      """
    )
  }

  /// The refusal of a body that has not arrived when its time is over.
  static let tooLate = HTTPRefusal(
    408,
    """
    The body took too long to arrive, and the rest was not waited for. Nothing of it was taken; send it again.
    """
  )
}
