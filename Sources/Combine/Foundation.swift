public import Foundation

extension NotificationCenter {
  /// Returns a publisher of the notifications of a name.
  ///
  /// They are delivered on the thread that posts them.
  ///
  /// - Parameters:
  ///   - name: The name of the notifications.
  ///   - object: The object that posts them, or `nil` for any.
  /// - Returns: The publisher.
  public func publisher(
    for name: Notification.Name,
    object: AnyObject? = nil
  ) -> Publisher {
    Publisher(center: self, name: name, object: object)
  }

  /// A publisher of notifications.
  public struct Publisher: Combine.Publisher {
    public typealias Output = Notification
    public typealias Failure = Never

    /// The center that posts the notifications.
    public let center: NotificationCenter
    /// The name of the notifications.
    public let name: Notification.Name
    /// The object that posts them, or `nil` for any.
    public let object: AnyObject?

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Notification, Downstream.Failure == Never {
      let outlet = Outlet(subscriber, .dropped)
      let send = Carried(value: outlet.send as (Notification) -> Void)
      let observer = center.addObserver(forName: name, object: object, queue: nil) {
        send.value($0)
      }
      outlet.whenCancelled { [center] in center.removeObserver(observer) }
      subscriber.receive(subscription: outlet)
    }
  }
}

extension Timer {
  /// Returns a publisher of the present time in equal intervals, which begins when somebody connects.
  ///
  /// ```swift
  /// Timer.publish(every: 60, on: .main, in: .common).autoconnect()
  /// ```
  public static func publish(
    every interval: TimeInterval,
    tolerance: TimeInterval? = nil,
    on runLoop: RunLoop,
    in mode: RunLoop.Mode
  ) -> TimerPublisher {
    TimerPublisher(interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode)
  }

  /// The intervals of a timer; call ``autoconnect()`` to begin with the first subscriber.
  public struct TimerPublisher {
    let interval: TimeInterval
    let tolerance: TimeInterval?
    let runLoop: RunLoop
    let mode: RunLoop.Mode

    /// Returns the publisher, of which each subscriber has a timer of its own.
    public func autoconnect() -> Publishers.Made<Date, Never> {
      Publishers.Made { downstream in
        let outlet = Outlet(downstream, .dropped)
        let carried = Carried(value: outlet)
        let timer = Timer(timeInterval: interval, repeats: true) { _ in carried.value.send(Date()) }
        if let tolerance { timer.tolerance = tolerance }
        outlet.whenCancelled { timer.invalidate() }
        downstream.receive(subscription: outlet)
        runLoop.add(timer, forMode: mode)
      }
    }
  }
}

extension Publisher where Failure == Never, Output: Sendable {
  /// The values, for a loop with `await`.
  ///
  /// All values wait until the loop takes them.
  public var values: AsyncStream<Output> {
    AsyncStream { continuation in
      let connection = sink(
        receiveCompletion: { _ in continuation.finish() },
        receiveValue: { continuation.yield($0) }
      )
      let carried = Carried(value: connection)
      continuation.onTermination = { _ in carried.value.cancel() }
    }
  }
}
