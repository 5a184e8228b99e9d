// MARK: - Several publishers

extension Publisher {
  /// Sends the values of this publisher and of another one, as they come.
  public func merge<Other: Publisher>(with other: Other) -> Publishers.Made<Output, Failure>
  where Other.Output == Output, Other.Failure == Failure {
    [eraseToAnyPublisher(), other.eraseToAnyPublisher()].publisher.setFailureType(to: Failure.self)
      .flatMap { $0 }
  }

  /// Sends the values of all publishers that a closure makes of the values, as they come.
  public func flatMap<Inner: Publisher>(
    _ transform: @escaping (Output) -> Inner
  ) -> Publishers.Made<Inner.Output, Failure> where Inner.Failure == Failure {
    joined(onlyLatest: false, transform)
  }

  /// Connects to the latest of the publishers that a closure makes of the values, and disconnects from those before.
  fileprivate func joined<Inner: Publisher>(
    onlyLatest: Bool,
    _ transform: @escaping (Output) -> Inner
  ) -> Publishers.Made<Inner.Output, Failure> where Inner.Failure == Failure {
    Publishers.Made { downstream in
      let outlet = Outlet(downstream, .kept)
      downstream.receive(subscription: outlet)
      let inner = Latest<[Int: Intake<Inner.Output, Failure>]>([:])
      /// The number of the next inner publisher, and whether the outer one goes on.
      let outer = Latest((next: 0, isOpen: true))
      func endIfAllHaveEnded() {
        if outer.value?.isOpen == false, inner.value?.isEmpty != false {
          outlet.send(completion: .finished)
        }
      }
      let intake = Intake<Output, Failure>(
        { value in
          let number = outer.change { state in
            state?.next += 1
            return state?.next ?? 0
          }
          let intake = Intake<Inner.Output, Failure>(
            outlet.send,
            { completion in
              inner.change { $0?[number] = nil }
              switch completion {
              case .failure: outlet.send(completion: completion)
              case .finished: endIfAllHaveEnded()
              }
            }
          )
          let former = inner.change { present in
            defer {
              if onlyLatest { present = [:] }
              present?[number] = intake
            }
            return onlyLatest ? Array((present ?? [:]).values) : []
          }
          for intake in former { intake.cancel() }
          transform(value).receive(subscriber: intake)
        },
        { completion in
          outer.change { $0?.isOpen = false }
          switch completion {
          case .failure: outlet.send(completion: completion)
          case .finished: endIfAllHaveEnded()
          }
        }
      )
      outlet.whenCancelled {
        intake.cancel()
        for intake
          in (inner.change { present in
            defer { present = [:] }
            return present ?? [:]
          }).values
        { intake.cancel() }
      }
      receive(subscriber: intake)
    }
  }

  /// Sends the latest values of this publisher and of another one, each time that one of them has a new value.
  ///
  /// Nothing is sent before both have one.
  public func combineLatest<Other: Publisher>(
    _ other: Other
  ) -> Publishers.Made<(Output, Other.Output), Failure> where Other.Failure == Failure {
    Publishers.Made { downstream in
      let outlet = Outlet(downstream, .latestKept)
      downstream.receive(subscription: outlet)
      let latest = Latest((one: Output?.none, other: Other.Output?.none))
      let open = Latest(2)
      func send() {
        if let pair = latest.value, let one = pair.one, let other = pair.other {
          outlet.send((one, other))
        }
      }
      func end(_ completion: Subscribers.Completion<Failure>) {
        let left = open.change { count in
          count = (count ?? 0) - 1
          return count ?? 0
        }
        if case .failure = completion { return outlet.send(completion: completion) }
        if left == 0 { outlet.send(completion: .finished) }
      }
      let first = Intake<Output, Failure>(
        { value in
          latest.change { $0?.one = value }
          send()
        },
        end
      )
      let second = Intake<Other.Output, Failure>(
        { value in
          latest.change { $0?.other = value }
          send()
        },
        end
      )
      outlet.whenCancelled {
        first.cancel()
        second.cancel()
      }
      receive(subscriber: first)
      other.receive(subscriber: second)
    }
  }

  /// Sends the latest values of three publishers, each time that one of them has a new value.
  public func combineLatest<Second: Publisher, Third: Publisher>(
    _ second: Second,
    _ third: Third
  ) -> Publishers.Made<(Output, Second.Output, Third.Output), Failure>
  where Second.Failure == Failure, Third.Failure == Failure {
    combineLatest(second).combineLatest(third).map { ($0.0, $0.1, $1) }
  }

  /// Sends pairs of the values that this publisher and another one send at the same place.
  public func zip<Other: Publisher>(
    _ other: Other
  ) -> Publishers.Made<(Output, Other.Output), Failure> where Other.Failure == Failure {
    Publishers.Made { downstream in
      let outlet = Outlet(downstream, .kept)
      downstream.receive(subscription: outlet)
      let waiting = Latest((one: [Output](), other: [Other.Output](), ended: (false, false)))
      func send() {
        let (pair, isOver) = waiting.change { lists -> ((Output, Other.Output)?, Bool) in
          guard var now = lists else { return (nil, true) }
          var pair: (Output, Other.Output)?
          if !now.one.isEmpty, !now.other.isEmpty {
            pair = (now.one.removeFirst(), now.other.removeFirst())
          }
          lists = now
          let isOver = now.ended.0 && now.one.isEmpty || now.ended.1 && now.other.isEmpty
          return (pair, isOver)
        }
        if let pair { outlet.send(pair) }
        if isOver { outlet.send(completion: .finished) }
      }
      let first = Intake<Output, Failure>(
        { value in
          waiting.change { $0?.one.append(value) }
          send()
        },
        { completion in
          if case .failure = completion { return outlet.send(completion: completion) }
          waiting.change { $0?.ended.0 = true }
          send()
        }
      )
      let second = Intake<Other.Output, Failure>(
        { value in
          waiting.change { $0?.other.append(value) }
          send()
        },
        { completion in
          if case .failure = completion { return outlet.send(completion: completion) }
          waiting.change { $0?.ended.1 = true }
          send()
        }
      )
      outlet.whenCancelled {
        first.cancel()
        second.cancel()
      }
      receive(subscriber: first)
      other.receive(subscriber: second)
    }
  }

  /// Sends values before those of this publisher.
  public func prepend(_ values: Output...) -> Publishers.Made<Output, Failure> {
    Publishers.Made { downstream in
      let outlet = Outlet(downstream, .kept)
      downstream.receive(subscription: outlet)
      for value in values { outlet.send(value) }
      let intake = Intake<Output, Failure>(outlet.send, outlet.send(completion:))
      outlet.whenCancelled(intake.cancel)
      receive(subscriber: intake)
    }
  }

  /// Connects once, and sends the values to all subscribers.
  public func share() -> Publishers.Made<Output, Failure> {
    let subject = PassthroughSubject<Output, Failure>()
    let connection = Latest<AnyCancellable>()
    return Publishers.Made { downstream in
      subject.receive(subscriber: downstream)
      let isFirst = connection.change { present in
        guard present == nil else { return false }
        present = AnyCancellable {}
        return true
      }
      guard isFirst else { return }
      let made = self.subscribe(subject)
      connection.change { $0 = made }
    }
  }
}

extension Publisher where Output: Publisher, Output.Failure == Failure {
  /// Sends the values of the latest publisher among the values.
  public func switchToLatest() -> Publishers.Made<Output.Output, Failure> {
    joined(onlyLatest: true) { $0 }
  }
}
