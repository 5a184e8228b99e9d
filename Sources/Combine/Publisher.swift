/// A source of values over time.
///
/// This module has the part of Apple's Combine that the model layers of apps use, under the same names: subjects,
/// `@Published`, the usual operators, and publishers of notifications and managed objects. What is absent is absent
/// from the module, so that the compiler says so. Values are delivered on the thread that sends them, unless
/// ``receive(on:)`` names another one.
public protocol Publisher<Output, Failure> {
  /// The type of the values.
  associatedtype Output
  /// The type of the errors; `Never` if it cannot fail.
  associatedtype Failure: Error

  /// Connects a subscriber.
  ///
  /// It receives a subscription first, then values, and at most one completion.
  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure
}

extension Publisher {
  /// Connects a subscriber.
  public func subscribe<Downstream: Subscriber>(_ subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    receive(subscriber: subscriber)
  }

  /// Connects a subject, which sends the values on.
  ///
  /// - Returns: The connection, which ends when it is deinitialized.
  public func subscribe<Downstream: Subject>(_ subject: Downstream) -> AnyCancellable
  where Downstream.Output == Output, Downstream.Failure == Failure {
    sink(receiveCompletion: { subject.send(completion: $0) }, receiveValue: { subject.send($0) })
  }
}

/// A receiver of values.
public protocol Subscriber<Input, Failure>: AnyObject {
  /// The type of the values.
  associatedtype Input
  /// The type of the errors.
  associatedtype Failure: Error

  /// Receives the connection, which sends nothing before the subscriber has requested it.
  func receive(subscription: any Subscription)
  /// Receives a value.
  ///
  /// - Returns: The number of values to send in addition to those that were requested before.
  func receive(_ input: Input) -> Subscribers.Demand
  /// Receives the end, which is the last call.
  func receive(completion: Subscribers.Completion<Failure>)
}

/// A connection between a publisher and a subscriber.
public protocol Subscription: Cancellable, AnyObject {
  /// Asks for more values.
  ///
  /// The numbers of several requests add up.
  func request(_ demand: Subscribers.Demand)
}

/// An activity that can be stopped.
public protocol Cancellable {
  /// Stops the activity.
  ///
  /// A second call does nothing.
  func cancel()
}

extension Cancellable {
  /// Stores the activity in a set, which keeps it until the set is deinitialized.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(self as? AnyCancellable ?? AnyCancellable(self))
  }

  /// Stores the activity in a collection.
  public func store<Activities: RangeReplaceableCollection>(in collection: inout Activities)
  where Activities.Element == AnyCancellable {
    collection.append(self as? AnyCancellable ?? AnyCancellable(self))
  }
}

/// An activity that stops when the last reference to it is gone.
public final class AnyCancellable: Cancellable, Hashable {
  private let action = Once()

  /// Creates an activity with the closure that stops it.
  public init(_ cancel: @escaping () -> Void) { action.set(cancel) }

  /// Creates an activity that stops another one.
  public init(_ activity: some Cancellable) { action.set { activity.cancel() } }

  deinit { cancel() }

  public func cancel() { action.run() }

  public static func == (one: AnyCancellable, other: AnyCancellable) -> Bool { one === other }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The types that subscribers use.
public enum Subscribers {
  /// The number of values that a subscriber wants.
  public struct Demand: Hashable, Comparable, Sendable {
    /// The number, or `nil` for all.
    public let max: Int?

    private init(_ max: Int?) { self.max = max }

    /// All values.
    public static let unlimited = Demand(nil)
    /// No values.
    public static let none = Demand(0)

    /// A number of values, not negative.
    public static func max(_ count: Int) -> Demand {
      precondition(count >= 0, "a demand of \(count) values is negative")
      return Demand(count)
    }

    public static func + (one: Demand, other: Demand) -> Demand {
      guard let first = one.max, let second = other.max else { return .unlimited }
      let (sum, isTooLarge) = first.addingReportingOverflow(second)
      return isTooLarge ? .unlimited : .max(sum)
    }

    public static func += (one: inout Demand, other: Demand) { one = one + other }

    public static func < (one: Demand, other: Demand) -> Bool {
      guard let first = one.max else { return false }
      return other.max.map { first < $0 } ?? true
    }

    /// One value less.
    var afterOne: Demand { max.map { Demand($0 - 1) } ?? self }
  }

  /// The end of a publisher.
  public enum Completion<Failure: Error> {
    /// The publisher has sent all its values.
    case finished
    /// The publisher cannot go on.
    case failure(Failure)

    func mapError<Other: Error>(_ transform: (Failure) -> Other) -> Completion<Other> {
      switch self {
      case .finished: .finished
      case .failure(let error): .failure(transform(error))
      }
    }
  }
}

extension Subscribers.Completion: Sendable where Failure: Sendable {}
extension Subscribers.Completion: Equatable where Failure: Equatable {}
