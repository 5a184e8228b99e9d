// The declarations of Hummingbird 2 that CoreDataHummingbird uses, for a check of its types; nothing here works.

/// A stand-in for Hummingbird's protocol.
public protocol MiddlewareProtocol<Input, Output, Context>: Sendable {
  associatedtype Input
  associatedtype Output
  associatedtype Context

  func handle(
    _ input: Input,
    context: Context,
    next: (Input, Context) async throws -> Output
  ) async throws -> Output
}

/// A stand-in for Hummingbird's protocol.
public protocol RouterMiddleware<Context>: MiddlewareProtocol
where Input == Request, Output == Response {}

/// A stand-in for Hummingbird's protocol.
public protocol RequestContext: Sendable {}

extension RequestContext {
  public var id: String { stop() }
}

/// A stand-in for Hummingbird's structure.
public struct Request: Sendable {}

/// A stand-in for the structure of swift-http-types.
public struct HTTPResponse: Sendable {
  /// A stand-in for the structure of swift-http-types.
  public struct Status: Sendable {
    public init(code: Int, reasonPhrase: String = "") { stop() }
  }
}

/// A stand-in for the structure of swift-http-types.
public struct HTTPField: Sendable {
  /// A stand-in for the structure of swift-http-types.
  public struct Name: Sendable, Hashable {
    public static var contentType: Name { stop() }
  }
}

/// A stand-in for the structure of swift-http-types.
public struct HTTPFields: Sendable, ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (HTTPField.Name, String)...) { stop() }
}

/// A stand-in for the structure of SwiftNIO.
public struct ByteBuffer: Sendable {
  public init<Bytes: Sequence>(bytes: Bytes) where Bytes.Element == UInt8 { stop() }
}

/// A stand-in for Hummingbird's structure.
public struct ResponseBody: Sendable {
  public init() { stop() }
  public init(byteBuffer: ByteBuffer) { stop() }
}

/// A stand-in for Hummingbird's protocol.
public protocol ResponseGenerator {}

/// A stand-in for Hummingbird's structure.
public struct Response: Sendable, ResponseGenerator {
  public init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: ResponseBody = .init())
  { stop() }
}

/// A stand-in for Hummingbird's structure.
public struct RouterPath: Sendable, ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { stop() }
}

/// A stand-in for Hummingbird's class.
public final class Router<Context: RequestContext> {
  @discardableResult
  public func get(
    _ path: RouterPath = "",
    use handler: @Sendable @escaping (Request, Context) async throws -> some ResponseGenerator
  ) -> Self { stop() }
}

private func stop() -> Never { fatalError("a stand-in was called") }
