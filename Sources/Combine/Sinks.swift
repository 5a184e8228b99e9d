extension Publisher {
  /// Calls closures with each value and with the end.
  ///
  /// - Returns: The connection, which ends when it is deinitialized: store it.
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let intake = Intake(receiveValue, receiveCompletion)
    receive(subscriber: intake)
    return AnyCancellable(intake)
  }

  /// Sends the values on as a publisher of a type that names only the values and errors.
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

extension Publisher where Failure == Never {
  /// Calls a closure with each value.
  ///
  /// - Returns: The connection, which ends when it is deinitialized: store it.
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }

  /// Sets a property of an object to each value.
  ///
  /// The connection keeps the object.
  public func assign<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>,
    on object: Root
  ) -> AnyCancellable {
    sink { object[keyPath: keyPath] = $0 }
  }

  /// Sends each value through a `@Published` property, for as long as its object lives.
  public func assign(to published: inout Published<Output>.Publisher) {
    let state = published.state
    let connection = sink { [weak state] value in state?.set(value) }
    state.keep(connection)
  }
}

/// A publisher of which only the types of values and errors are known.
public struct AnyPublisher<Output, Failure: Error>: Publisher {
  private let connect: (Relayed) -> Void

  /// A subscriber of any type, by its three methods.
  private struct Relayed {
    let subscription: (any Subscription) -> Void
    let value: (Output) -> Subscribers.Demand
    let completion: (Subscribers.Completion<Failure>) -> Void
  }

  /// Creates a publisher that sends on the values of another one.
  public init<Upstream: Publisher>(_ publisher: Upstream)
  where Upstream.Output == Output, Upstream.Failure == Failure {
    connect = { relayed in
      publisher.receive(
        subscriber: Relay<Output, Failure>(
          relayed.subscription,
          relayed.value,
          relayed.completion
        )
      )
    }
  }

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    connect(
      Relayed(
        subscription: { subscriber.receive(subscription: $0) },
        value: { subscriber.receive($0) },
        completion: { subscriber.receive(completion: $0) }
      )
    )
  }
}

/// A subscriber made of closures, which passes the subscription on.
final class Relay<Input, Failure: Error>: Subscriber {
  private let onSubscription: (any Subscription) -> Void
  private let onValue: (Input) -> Subscribers.Demand
  private let onCompletion: (Subscribers.Completion<Failure>) -> Void

  init(
    _ onSubscription: @escaping (any Subscription) -> Void,
    _ onValue: @escaping (Input) -> Subscribers.Demand,
    _ onCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
  ) {
    self.onSubscription = onSubscription
    self.onValue = onValue
    self.onCompletion = onCompletion
  }

  func receive(subscription: any Subscription) { onSubscription(subscription) }

  func receive(_ input: Input) -> Subscribers.Demand { onValue(input) }

  func receive(completion: Subscribers.Completion<Failure>) { onCompletion(completion) }
}
