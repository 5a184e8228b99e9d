/// The target of a request: `/api/notes/4%20b?in=all` as pieces that are decoded one by one.
///
/// The pieces are split before they are decoded, so that `%2F` in a piece does not split it.
struct RequestTarget: Sendable, Equatable {
  let segments: [String]
  let query: Query

  /// The path as text.
  var path: String { "/" + segments.joined(separator: "/") }

  init(_ text: String) throws(Problem) {
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard text.hasPrefix("/"), let path = halves.first else {
      throw Problem(400, "The address must begin with a slash.")
    }
    var segments: [String] = []
    for piece in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let segment = PercentEncoding.decode(piece) else {
        throw Problem(400, "The address has a broken percent escape.")
      }
      guard segment != ".", segment != ".." else {
        throw Problem(400, "The address must not go up.")
      }
      segments.append(segment)
    }
    guard let query = halves.count > 1 ? Query(halves[1]) : Query() else {
      throw Problem(400, "The query has a broken percent escape.")
    }
    self.segments = segments
    self.query = query
  }
}
