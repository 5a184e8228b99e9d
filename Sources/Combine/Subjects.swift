import Foundation

/// A publisher to which code sends values.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends a value to the subscribers.
  func send(_ value: Output)
  /// Ends the subject. Values that are sent later are dropped.
  func send(completion: Subscribers.Completion<Failure>)
}

extension Subject where Output == Void {
  /// Sends a signal without a value.
  public func send() { send(()) }
}

/// The subscribers of a subject.
private final class Audience<Output, Failure: Error> {
  private struct Member {
    let send: (Output) -> Void
    let complete: (Subscribers.Completion<Failure>) -> Void
  }

  private let lock = NSRecursiveLock()
  private var members: [(number: Int, member: Member)] = []
  private var next = 0
  private var completion: Subscribers.Completion<Failure>?

  var isOver: Bool { lock.withLock { completion != nil } }

  func add<Downstream: Subscriber>(
    _ downstream: Downstream,
    _ excess: Outlet<Downstream>.Excess,
    sending first: () -> Output? = { nil }
  ) where Downstream.Input == Output, Downstream.Failure == Failure {
    let outlet = Outlet(downstream, excess)
    lock.lock()
    next += 1
    let number = next
    let completion = completion
    if completion == nil {
      members.append((number, Member(send: outlet.send, complete: outlet.send(completion:))))
      if let first = first() { outlet.send(first) }
    }
    lock.unlock()
    outlet.whenCancelled { [weak self] in self?.remove(number) }
    downstream.receive(subscription: outlet)
    if let completion { outlet.send(completion: completion) }
  }

  private func remove(_ number: Int) {
    lock.withLock { members.removeAll { $0.number == number } }
  }

  func send(_ value: Output) {
    for (_, member) in lock.withLock({ members }) { member.send(value) }
  }

  func send(completion: Subscribers.Completion<Failure>) {
    let present = lock.withLock {
      guard self.completion == nil else { return [(number: Int, member: Member)]() }
      self.completion = completion
      defer { members = [] }
      return members
    }
    for (_, member) in present { member.complete(completion) }
  }
}

/// A subject that sends each value to those who are subscribed at that time.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
  private let audience = Audience<Output, Failure>()

  /// Creates a subject without subscribers.
  public init() {}

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    audience.add(subscriber, .dropped)
  }

  public func send(_ value: Output) { audience.send(value) }

  public func send(completion: Subscribers.Completion<Failure>) {
    audience.send(completion: completion)
  }
}

/// A subject that has a value, which new subscribers receive first.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  private let audience = Audience<Output, Failure>()
  private let lock = NSRecursiveLock()
  private var current: Output

  /// Creates a subject with its first value.
  public init(_ value: Output) { current = value }

  /// The value that was sent last.
  ///
  /// Setting it sends it.
  public var value: Output {
    get { lock.withLock { current } }
    set { send(newValue) }
  }

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    audience.add(subscriber, .latestKept) { self.value }
  }

  public func send(_ value: Output) {
    lock.withLock { if !audience.isOver { current = value } }
    audience.send(value)
  }

  public func send(completion: Subscribers.Completion<Failure>) {
    audience.send(completion: completion)
  }
}
