import Foundation

/// A publisher of a single value.
public struct Just<Output>: Publisher {
  public typealias Failure = Never

  /// The value.
  public let output: Output

  /// Creates a publisher of a value.
  public init(_ output: Output) { self.output = output }

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Never {
    let outlet = Outlet(subscriber, .kept)
    subscriber.receive(subscription: outlet)
    outlet.send(output)
    outlet.send(completion: .finished)
  }
}

/// A publisher without values.
public struct Empty<Output, Failure: Error>: Publisher {
  private let completes: Bool

  /// Creates a publisher that finishes at once, or that never does.
  public init(completeImmediately completes: Bool = true) { self.completes = completes }

  /// Creates a publisher of types that the surroundings do not tell.
  public init(
    completeImmediately completes: Bool = true,
    outputType: Output.Type,
    failureType: Failure.Type
  ) {
    self.completes = completes
  }

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    let outlet = Outlet(subscriber, .kept)
    subscriber.receive(subscription: outlet)
    if completes { outlet.send(completion: .finished) }
  }
}

/// A publisher that fails at once.
public struct Fail<Output, Failure: Error>: Publisher {
  private let error: Failure

  /// Creates a publisher that fails with an error.
  public init(error: Failure) { self.error = error }

  /// Creates a publisher of values of a type that the surroundings do not tell.
  public init(outputType: Output.Type, failure: Failure) { error = failure }

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    let outlet = Outlet(subscriber, .kept)
    subscriber.receive(subscription: outlet)
    outlet.send(completion: .failure(error))
  }
}

/// A publisher of the single result of work that begins at once.
///
/// All subscribers receive the same result, also those that come later.
public final class Future<Output, Failure: Error>: Publisher {
  /// The closure that ends the work.
  public typealias Promise = (Result<Output, Failure>) -> Void

  private let result = CurrentValueSubject<Output?, Failure>(nil)

  /// Begins work, which calls the promise with its result.
  ///
  /// Later calls of the promise do nothing.
  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    let result = result
    let first = Once()
    let outcomes = Latest<Result<Output, Failure>>()
    first.set {
      switch outcomes.value {
      case nil: break
      case .success(let value)?: result.send(value)
      case .failure(let error)?: result.send(completion: .failure(error))
      }
    }
    attemptToFulfill { outcome in
      outcomes.setFirst(outcome)
      first.run()
    }
  }

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    result.compactMap { $0 }.first().receive(subscriber: subscriber)
  }
}

/// A publisher that a closure makes for each subscriber.
public struct Deferred<Made: Publisher>: Publisher {
  public typealias Output = Made.Output
  public typealias Failure = Made.Failure

  private let make: () -> Made

  /// Creates a publisher that a closure makes when somebody subscribes.
  public init(createPublisher make: @escaping () -> Made) { self.make = make }

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    make().receive(subscriber: subscriber)
  }
}

extension Sequence {
  /// A publisher of the elements.
  public var publisher: AnyPublisher<Element, Never> {
    let elements = Array(self)
    return Publishers.Made<Element, Never> { subscriber in
      let outlet = Outlet(subscriber, .kept)
      subscriber.receive(subscription: outlet)
      for element in elements { outlet.send(element) }
      outlet.send(completion: .finished)
    }
    .eraseToAnyPublisher()
  }
}

extension Optional {
  /// A publisher of the value, if there is one.
  public var publisher: AnyPublisher<Wrapped, Never> {
    map { [$0].publisher } ?? [Wrapped]().publisher
  }
}

extension Result {
  /// A publisher of the value or the error.
  public var publisher: AnyPublisher<Success, Failure> {
    switch self {
    case .success(let value):
      Just(value).setFailureType(to: Failure.self).eraseToAnyPublisher()
    case .failure(let error): Fail(error: error).eraseToAnyPublisher()
    }
  }
}
