import CoreData
import Foundation
public import Hummingbird

/// Answers errors of the framework with a status, fields and sentences, and gives slow statements the identifier of their
/// request.
///
/// A ``RequestProblem`` becomes `application/problem+json`; Hummingbird answers other errors.
public struct CoreDataMiddleware<Context: RequestContext>: RouterMiddleware {
  /// Creates the middleware.
  public init() {}

  /// Handles a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - context: The context of the request, which has its identifier.
  ///   - next: The handler behind the middleware.
  /// - Returns: The handler's response, or that of the problem.
  /// - Throws: Errors that are no problems of a request.
  public func handle(
    _ request: Request,
    context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await StoreMetrics.$requestID.withValue(context.id) {
        try await next(request, context)
      }
    } catch {
      guard let problem = RequestProblem(error) else { throw error }
      return try Response(problem, status: problem.status, type: "application/problem+json")
    }
  }
}

extension Response {
  /// Creates a response with a value as JSON.
  init(_ value: some Encodable, status: Int, type: String) throws {
    let body = try JSONEncoder().encode(value)
    self.init(
      status: HTTPResponse.Status(code: status),
      headers: [.contentType: type],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: body))
    )
  }
}
