/// The method of a request.
public enum Method: String, Sendable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case options = "OPTIONS"

  /// Whether a request of this kind may change something here.
  public var writes: Bool {
    switch self {
    case .get, .head, .options: false
    case .post, .put, .patch, .delete: true
    }
  }
}
