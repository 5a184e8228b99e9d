import Foundation

/// The end of a publisher that one subscriber holds: it keeps to the subscriber's demand, and delivers one value at a
/// time.
final class Outlet<Downstream: Subscriber>: Subscription {
  typealias Completion = Subscribers.Completion<Downstream.Failure>

  /// The treatment of values that the subscriber has not requested.
  enum Excess {
    case dropped, latestKept, kept
  }

  /// Not held while a subscriber is called, which may wait for another thread.
  private let lock = NSLock()
  private var downstream: Downstream?
  private let excess: Excess
  private var demand = Subscribers.Demand.none
  private var waiting: [Downstream.Input] = []
  private var completion: Completion?
  private var isDelivering = false
  private var onCancel: (() -> Void)?
  private var onRequest: ((Subscribers.Demand) -> Void)?

  init(
    _ downstream: Downstream,
    _ excess: Excess,
    onRequest: ((Subscribers.Demand) -> Void)? = nil,
    onCancel: (() -> Void)? = nil
  ) {
    self.downstream = downstream
    self.excess = excess
    self.onRequest = onRequest
    self.onCancel = onCancel
  }

  /// Sets what is to be done when the subscriber cancels; done at once if it has already.
  func whenCancelled(_ action: @escaping () -> Void) {
    lock.lock()
    let isOver = downstream == nil
    if !isOver { onCancel = action }
    lock.unlock()
    if isOver { action() }
  }

  func send(_ value: Downstream.Input) {
    lock.lock()
    if downstream != nil, completion == nil {
      switch excess {
      case .kept: waiting.append(value)
      case .latestKept: waiting = [value]
      case .dropped: if demand > .none { waiting.append(value) }
      }
    }
    deliver()
  }

  func send(completion: Completion) {
    lock.lock()
    if downstream != nil, self.completion == nil {
      if case .failure = completion { waiting = [] }
      if excess == .latestKept, demand == .none { waiting = [] }
      self.completion = completion
    }
    deliver()
  }

  func request(_ demand: Subscribers.Demand) {
    lock.lock()
    self.demand += demand
    let onRequest = onRequest
    deliver()
    onRequest?(demand)
  }

  func cancel() {
    let action = lock.withLock {
      defer { close() }
      return onCancel
    }
    action?()
  }

  private func close() {
    downstream = nil
    waiting = []
    onCancel = nil
    onRequest = nil
  }

  /// Delivers until the demand or the values end, and unlocks.
  ///
  /// A call within a call, or beside one of another thread, leaves it to that one: values keep their order.
  private func deliver() {
    guard !isDelivering else { return lock.unlock() }
    isDelivering = true
    while let downstream, demand > .none, !waiting.isEmpty {
      let value = waiting.removeFirst()
      demand = demand.afterOne
      lock.unlock()
      let more = downstream.receive(value)
      lock.lock()
      demand += more
    }
    isDelivering = false
    guard waiting.isEmpty, let completion, let downstream else { return lock.unlock() }
    close()
    lock.unlock()
    downstream.receive(completion: completion)
  }
}

/// A subscriber made of closures, which takes all values.
final class Intake<Input, Failure: Error>: Subscriber, Cancellable {
  private let lock = NSRecursiveLock()
  private var subscription: (any Subscription)?
  private var isOver = false
  private let onValue: (Input) -> Void
  private let onCompletion: (Subscribers.Completion<Failure>) -> Void

  init(
    _ onValue: @escaping (Input) -> Void,
    _ onCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
  ) {
    self.onValue = onValue
    self.onCompletion = onCompletion
  }

  func receive(subscription: any Subscription) {
    let isRefused = lock.withLock {
      let isRefused = isOver || self.subscription != nil
      if !isRefused { self.subscription = subscription }
      return isRefused
    }
    if isRefused { subscription.cancel() } else { subscription.request(.unlimited) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    if !lock.withLock({ isOver }) { onValue(input) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let wasOver = lock.withLock {
      defer {
        isOver = true
        subscription = nil
      }
      return isOver
    }
    if !wasOver { onCompletion(completion) }
  }

  func cancel() {
    let subscription = lock.withLock {
      defer { self.subscription = nil }
      isOver = true
      return self.subscription
    }
    subscription?.cancel()
  }
}
