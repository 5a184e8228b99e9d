public import Dispatch
public import Foundation

/// A place and time where values are delivered: a dispatch queue, an operation queue or a run loop.
public protocol Scheduler {
  /// Runs a closure soon.
  func schedule(_ action: @escaping @Sendable () -> Void)
  /// Runs a closure after a time.
  func schedule(after interval: SchedulerInterval, _ action: @escaping @Sendable () -> Void)
}

/// A length of time: `0.3`, `.seconds(2)`, `.milliseconds(300)`.
public struct SchedulerInterval: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, Sendable {
  /// The length in seconds, not negative.
  public let seconds: Double

  private init(length: Double) { seconds = max(0, length) }

  public init(floatLiteral value: Double) { self.init(length: value) }

  public init(integerLiteral value: Int) { self.init(length: Double(value)) }

  /// A number of seconds.
  public static func seconds(_ count: Double) -> Self { Self(length: count) }
  /// A number of seconds.
  public static func seconds(_ count: Int) -> Self { Self(length: Double(count)) }
  /// A number of thousandths of a second.
  public static func milliseconds(_ count: Int) -> Self { Self(length: Double(count) / 1000) }
}

extension DispatchQueue: Scheduler {
  public func schedule(_ action: @escaping @Sendable () -> Void) { async(execute: action) }

  public func schedule(after interval: SchedulerInterval, _ action: @escaping @Sendable () -> Void)
  {
    asyncAfter(deadline: .now() + interval.seconds, execute: action)
  }
}

extension OperationQueue: Scheduler {
  public func schedule(_ action: @escaping @Sendable () -> Void) { addOperation(action) }

  public func schedule(after interval: SchedulerInterval, _ action: @escaping @Sendable () -> Void)
  {
    let queue = Carried(value: self)
    DispatchQueue.global().asyncAfter(deadline: .now() + interval.seconds) {
      queue.value.addOperation(action)
    }
  }
}

extension RunLoop: Scheduler {
  public func schedule(_ action: @escaping @Sendable () -> Void) { perform(action) }

  public func schedule(after interval: SchedulerInterval, _ action: @escaping @Sendable () -> Void)
  {
    add(Timer(timeInterval: interval.seconds, repeats: false) { _ in action() }, forMode: .default)
  }
}

extension Publisher {
  /// Delivers values and the end on a scheduler, in their order.
  public func receive(on scheduler: some Scheduler) -> Publishers.Made<Output, Failure> {
    Publishers.Made { downstream in
      let outlet = Outlet(downstream, .kept)
      downstream.receive(subscription: outlet)
      // Several threads of a concurrent queue would change the order; each takes the oldest.
      let waiting = Latest<[() -> Void]>([])
      func submit(_ delivery: @escaping () -> Void) {
        waiting.change { $0?.append(delivery) }
        let waiting = Carried(value: waiting)
        scheduler.schedule {
          waiting.value.change { list -> (() -> Void)? in
            list?.isEmpty == false ? list?.removeFirst() : nil
          }?()
        }
      }
      let intake = Intake<Output, Failure>(
        { value in submit { outlet.send(value) } },
        { completion in submit { outlet.send(completion: completion) } }
      )
      outlet.whenCancelled(intake.cancel)
      receive(subscriber: intake)
    }
  }

  /// Sends a value only when no other has come for a time, as after the last key of a search.
  public func debounce(
    for interval: SchedulerInterval,
    scheduler: some Scheduler
  ) -> Publishers.Made<Output, Failure> {
    Publishers.Made { downstream in
      let outlet = Outlet(downstream, .latestKept)
      downstream.receive(subscription: outlet)
      let latest = Latest((number: 0, value: Output?.none))
      let intake = Intake<Output, Failure>(
        { value in
          let number = latest.change { state in
            state = ((state?.number ?? 0) + 1, value)
            return state?.number ?? 0
          }
          let carried = Carried(value: (latest, outlet))
          scheduler.schedule(after: interval) {
            let (latest, outlet) = carried.value
            let value = latest.change { state -> Output? in
              guard state?.number == number else { return nil }
              defer { state?.value = nil }
              return state?.value
            }
            if let value { outlet.send(value) }
          }
        },
        { completion in
          // The last value is not lost with the end.
          if let value = latest.change({ state in
            defer { state = nil }
            return state?.value
          }) {
            outlet.send(value)
          }
          outlet.send(completion: completion)
        }
      )
      outlet.whenCancelled(intake.cancel)
      receive(subscriber: intake)
    }
  }

  /// Sends at most one value in a time: the latest or the first of them.
  public func throttle(
    for interval: SchedulerInterval,
    scheduler: some Scheduler,
    latest: Bool
  ) -> Publishers.Made<Output, Failure> {
    Publishers.Made { downstream in
      let outlet = Outlet(downstream, .kept)
      downstream.receive(subscription: outlet)
      /// Whether a time runs, and the value to send at its end.
      let state = Latest((isRunning: false, value: Output?.none))
      func begin() {
        let carried = Carried(value: (state, outlet, begin))
        scheduler.schedule(after: interval) {
          let (state, outlet, begin) = carried.value
          let value = state.change { now -> Output? in
            defer { now = (now?.value != nil, nil) }
            return now?.value
          }
          guard let value else { return }
          outlet.send(value)
          begin()
        }
      }
      let intake = Intake<Output, Failure>(
        { value in
          let isFirst = state.change { now in
            if now?.isRunning == true {
              if latest || now?.value == nil { now?.value = value }
              return false
            }
            now = (true, nil)
            return true
          }
          guard isFirst else { return }
          outlet.send(value)
          begin()
        },
        outlet.send(completion:)
      )
      outlet.whenCancelled(intake.cancel)
      receive(subscriber: intake)
    }
  }

  /// Sends each value and the end later by a time.
  public func delay(
    for interval: SchedulerInterval,
    scheduler: some Scheduler
  ) -> Publishers.Made<Output, Failure> {
    Publishers.Made { downstream in
      let outlet = Outlet(downstream, .kept)
      downstream.receive(subscription: outlet)
      let carried = Carried(value: outlet)
      let intake = Intake<Output, Failure>(
        { value in
          let value = Carried(value: value)
          scheduler.schedule(after: interval) { carried.value.send(value.value) }
        },
        { completion in
          let completion = Carried(value: completion)
          scheduler.schedule(after: interval) {
            carried.value.send(completion: completion.value)
          }
        }
      )
      outlet.whenCancelled(intake.cancel)
      receive(subscriber: intake)
    }
  }
}
