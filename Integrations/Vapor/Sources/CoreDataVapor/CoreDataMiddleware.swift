import CoreData
import Foundation
public import Vapor

/// Answers errors of the framework with a status, fields and sentences, and gives slow statements the identifier of their
/// request.
///
/// A ``RequestProblem`` becomes `application/problem+json`; other errors go on to Vapor's own middleware.
public struct CoreDataMiddleware: AsyncMiddleware {
  /// Creates the middleware.
  public init() {}

  /// Handles a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - next: The handler behind the middleware.
  /// - Returns: The handler's response, or that of the problem.
  /// - Throws: Errors that are no problems of a request.
  public func respond(
    to request: Request,
    chainingTo next: any AsyncResponder
  ) async throws -> Response {
    do {
      return try await StoreMetrics.$requestID.withValue(request.id) {
        try await next.respond(to: request)
      }
    } catch {
      guard let problem = RequestProblem(error) else { throw error }
      return try Response(problem, status: problem.status, type: "application/problem+json")
    }
  }
}

extension Response {
  /// Creates a response with a value as JSON.
  convenience init(_ value: some Encodable, status: Int, type: String) throws {
    let body = try JSONEncoder().encode(value)
    self.init(
      status: HTTPResponseStatus(statusCode: status),
      headers: ["Content-Type": type],
      body: Body(data: body)
    )
  }
}
