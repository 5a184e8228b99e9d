/// The publishers that operators return.
public enum Publishers {
  /// A publisher that is made of a closure.
  public struct Made<Output, Failure: Error>: Publisher {
    private let connect: (Relay<Output, Failure>) -> Void

    init(_ connect: @escaping (Relay<Output, Failure>) -> Void) { self.connect = connect }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      connect(
        Relay(
          { subscriber.receive(subscription: $0) },
          { subscriber.receive($0) },
          { subscriber.receive(completion: $0) }
        )
      )
    }
  }
}

/// The reaction of an operator to a value.
enum Step<Output, Failure: Error> {
  case send(Output)
  case skip
  /// Sends a value, if there is one, and ends.
  case end(Output?, Subscribers.Completion<Failure>)
}

extension Publisher {
  /// Sends the results of a closure.
  ///
  /// `make` is called for each subscriber, so that the closure can have state.
  func relayed<Value, Other: Error>(
    mapping completion:
      @escaping (Subscribers.Completion<Failure>) -> Subscribers.Completion<Other>,
    _ make: @escaping () -> (Output) -> Step<Value, Other>
  ) -> Publishers.Made<Value, Other> {
    Publishers.Made { downstream in
      let step = make()
      let upstream = Latest<any Subscription>()
      let isOver = Latest(false)
      func end(_ completion: Subscribers.Completion<Other>) {
        let wasOver = isOver.change { over in
          defer { over = true }
          return over == true
        }
        if !wasOver { downstream.receive(completion: completion) }
      }
      receive(
        subscriber: Relay<Output, Failure>(
          { subscription in
            upstream.setFirst(subscription)
            downstream.receive(subscription: subscription)
          },
          { value in
            guard isOver.value == false else { return .none }
            switch step(value) {
            case .send(let value): return downstream.receive(value)
            case .skip: return .max(1)
            case .end(let value, let completion):
              upstream.value?.cancel()
              if let value { _ = downstream.receive(value) }
              end(completion)
              return .none
            }
          },
          { end(completion($0)) }
        )
      )
    }
  }

  private func relayed<Value>(
    _ make: @escaping () -> (Output) -> Step<Value, Failure>
  ) -> Publishers.Made<Value, Failure> {
    relayed(mapping: { $0 }, make)
  }

  private func trying<Value>(
    _ make: @escaping () -> (Output) throws -> Step<Value, any Error>
  ) -> Publishers.Made<Value, any Error> {
    relayed(
      mapping: { $0.mapError { $0 } },
      {
        let step = make()
        return { value in
          do {
            return try step(value)
          } catch {
            return .end(nil, .failure(error))
          }
        }
      }
    )
  }
}

// MARK: - Values

extension Publisher {
  /// Sends what the closure makes of each value.
  public func map<Value>(
    _ transform: @escaping (Output) -> Value
  ) -> Publishers.Made<Value, Failure> {
    relayed { { .send(transform($0)) } }
  }

  /// Sends what the closure makes of each value, and fails with the error that it throws.
  public func tryMap<Value>(
    _ transform: @escaping (Output) throws -> Value
  ) -> Publishers.Made<Value, any Error> {
    trying { { .send(try transform($0)) } }
  }

  /// Sends what the closure makes of each value, unless that is `nil`.
  public func compactMap<Value>(
    _ transform: @escaping (Output) -> Value?
  ) -> Publishers.Made<Value, Failure> {
    relayed { { value in transform(value).map { .send($0) } ?? .skip } }
  }

  /// Sends the values that fulfil a condition.
  public func filter(
    _ isIncluded: @escaping (Output) -> Bool
  ) -> Publishers.Made<Output, Failure> {
    relayed { { isIncluded($0) ? .send($0) : .skip } }
  }

  /// Sends the results of a closure that combines each value with the result before.
  public func scan<Value>(
    _ initial: Value,
    _ next: @escaping (Value, Output) -> Value
  ) -> Publishers.Made<Value, Failure> {
    relayed {
      var result = initial
      return { value in
        result = next(result, value)
        return .send(result)
      }
    }
  }

  /// Leaves out each value that is a duplicate of the one before.
  public func removeDuplicates(
    by isDuplicate: @escaping (Output, Output) -> Bool
  ) -> Publishers.Made<Output, Failure> {
    relayed {
      var last: Output?
      return { value in
        if let former = last, isDuplicate(former, value) { return .skip }
        last = value
        return .send(value)
      }
    }
  }

  /// Sends the first value, and finishes.
  public func first() -> Publishers.Made<Output, Failure> { prefix(1) }

  /// Sends the first value that fulfils a condition, and finishes.
  public func first(
    where isWanted: @escaping (Output) -> Bool
  ) -> Publishers.Made<Output, Failure> {
    filter(isWanted).first()
  }

  /// Sends the first values, and finishes.
  ///
  /// - Parameter count: The number of values. With 0, the publisher finishes at once. A negative number stops the program.
  /// - Returns: The publisher.
  public func prefix(_ count: Int) -> Publishers.Made<Output, Failure> {
    precondition(count >= 0, "the first \(count) values of a publisher were asked for")
    if count == 0 { return Publishers.Made { Empty().receive(subscriber: $0) } }
    return relayed {
      var left = count
      return { value in
        left -= 1
        return left > 0 ? .send(value) : .end(value, .finished)
      }
    }
  }

  /// Leaves out the first values.
  public func dropFirst(_ count: Int = 1) -> Publishers.Made<Output, Failure> {
    relayed {
      var left = count
      return { value in
        guard left > 0 else { return .send(value) }
        left -= 1
        return .skip
      }
    }
  }

  /// Calls closures when something happens, and sends the values on.
  public func handleEvents(
    receiveOutput: ((Output) -> Void)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
  ) -> Publishers.Made<Output, Failure> {
    relayed(
      mapping: { completion in
        receiveCompletion?(completion)
        return completion
      },
      {
        { value in
          receiveOutput?(value)
          return .send(value)
        }
      }
    )
  }

  /// Sends a value in place of each `nil`.
  public func replaceNil<Value>(with value: Value) -> Publishers.Made<Value, Failure>
  where Output == Value? {
    map { $0 ?? value }
  }

  /// Collects all values, and sends them as an array at the end.
  public func collect() -> Publishers.Made<[Output], Failure> {
    Publishers.Made { downstream in
      let outlet = Outlet(downstream, .kept)
      downstream.receive(subscription: outlet)
      let values = Latest<[Output]>([])
      let intake = Intake<Output, Failure>(
        { value in values.change { $0?.append(value) } },
        { completion in
          if case .finished = completion { outlet.send(values.value ?? []) }
          outlet.send(completion: completion)
        }
      )
      outlet.whenCancelled(intake.cancel)
      receive(subscriber: intake)
    }
  }
}

extension Publisher where Output: Equatable {
  /// Leaves out each value that is equal to the one before.
  public func removeDuplicates() -> Publishers.Made<Output, Failure> { removeDuplicates(by: ==) }
}

// MARK: - Errors

extension Publisher {
  /// Fails with what the closure makes of the error.
  public func mapError<Other: Error>(
    _ transform: @escaping (Failure) -> Other
  ) -> Publishers.Made<Output, Other> {
    relayed(mapping: { $0.mapError(transform) }, { { .send($0) } })
  }

  /// Sends a value in place of an error, and finishes.
  public func replaceError(with value: Output) -> Publishers.Made<Output, Never> {
    `catch` { _ in Just(value) }
  }

  /// Goes on with another publisher after an error.
  public func `catch`<Next: Publisher>(
    _ handler: @escaping (Failure) -> Next
  ) -> Publishers.Made<Output, Next.Failure> where Next.Output == Output {
    Publishers.Made { downstream in
      let outlet = Outlet(downstream, .kept)
      downstream.receive(subscription: outlet)
      let upstream = Intake<Output, Failure>(
        outlet.send,
        { completion in
          switch completion {
          case .finished: outlet.send(completion: .finished)
          case .failure(let error):
            let next = Intake<Output, Next.Failure>(outlet.send, outlet.send(completion:))
            outlet.whenCancelled(next.cancel)
            handler(error).receive(subscriber: next)
          }
        }
      )
      outlet.whenCancelled(upstream.cancel)
      receive(subscriber: upstream)
    }
  }
}

extension Publisher where Failure == Never {
  /// Gives the publisher a type of errors, to combine it with publishers that have one.
  public func setFailureType<Other: Error>(
    to type: Other.Type
  ) -> Publishers.Made<Output, Other> {
    relayed(mapping: { _ in .finished }, { { .send($0) } })
  }
}
