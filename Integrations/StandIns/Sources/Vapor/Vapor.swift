// The declarations of Vapor 4 that CoreDataVapor uses, for a check of its types; nothing here works.

public import Foundation

/// A stand-in for Vapor's class.
public final class Application: Sendable {
  public var storage: Storage {
    get { stop() }
    set { stop() }
  }
  public var middleware: Middlewares {
    get { stop() }
    set { stop() }
  }
  public var lifecycle: Lifecycle {
    get { stop() }
    set { stop() }
  }
  public var logger: Logger { stop() }

  /// A stand-in for Vapor's structure.
  public struct Lifecycle: Sendable {
    public mutating func use(_ handler: any LifecycleHandler) { stop() }
  }
}

/// A stand-in for Vapor's protocol.
public protocol StorageKey {
  associatedtype Value: Sendable
}

/// A stand-in for Vapor's structure.
public struct Storage: Sendable {
  public subscript<Key: StorageKey>(_ key: Key.Type) -> Key.Value? {
    get { stop() }
    set { stop() }
  }
}

/// A stand-in for Vapor's structure.
public struct Middlewares: Sendable {
  /// A stand-in for Vapor's enumeration.
  public enum Position: Sendable { case beginning, end }

  public mutating func use(_ middleware: any Middleware, at position: Position = .end) { stop() }
}

/// A stand-in for Vapor's protocol.
public protocol LifecycleHandler: Sendable {
  func shutdown(_ application: Application)
}

/// A stand-in for the structure of swift-log.
public struct Logger: Sendable {
  public func warning(_ message: @autoclosure () -> String) { stop() }
}

/// A stand-in for Vapor's protocol.
public protocol Middleware: Sendable {}

/// A stand-in for Vapor's protocol.
public protocol AsyncMiddleware: Middleware {
  func respond(to request: Request, chainingTo next: any AsyncResponder) async throws -> Response
}

/// A stand-in for Vapor's protocol.
public protocol AsyncResponder: Sendable {
  func respond(to request: Request) async throws -> Response
}

/// A stand-in for Vapor's class.
public final class Request: Sendable {
  public var id: String { stop() }
  public var application: Application { stop() }
}

/// A stand-in for the structure of SwiftNIO.
public struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, String)...) { stop() }
}

/// A stand-in for the enumeration of SwiftNIO.
public struct HTTPResponseStatus: Sendable {
  public init(statusCode: Int, reasonPhrase: String = "") { stop() }
  public static var ok: HTTPResponseStatus { stop() }
}

/// A stand-in for Vapor's protocol.
public protocol AsyncResponseEncodable {}

/// A stand-in for Vapor's class.
public final class Response: Sendable, AsyncResponseEncodable {
  /// A stand-in for Vapor's structure.
  public struct Body: Sendable {
    public init(data: Data) { stop() }
    public static var empty: Body { stop() }
  }

  public init(status: HTTPResponseStatus = .ok, headers: HTTPHeaders = [:], body: Body = .empty) {
    stop()
  }
}

/// A stand-in for the enumeration of RoutingKit.
public struct PathComponent: Sendable, ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { stop() }
}

extension Application {
  @discardableResult
  public func get<Answer: AsyncResponseEncodable>(
    _ path: PathComponent...,
    use closure: @Sendable @escaping (Request) async throws -> Answer
  ) -> Int { stop() }
}

private func stop() -> Never { fatalError("a stand-in was called") }
