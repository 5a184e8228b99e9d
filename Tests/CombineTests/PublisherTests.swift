import Combine
import Foundation
import Synchronization
import Testing

/// The publishers and operators of the module `Combine`.
@Suite struct PublisherTests {
  private final class Received<Value> {
    var values: [Value] = []
    var ends = 0
    var connections: Set<AnyCancellable> = []

    func connect<Failure>(_ publisher: some Publisher<Value, Failure>) {
      publisher.sink { _ in
        self.ends += 1
      } receiveValue: {
        self.values.append($0)
      }
      .store(in: &connections)
    }
  }

  private struct Mistake: Error, Equatable {}

  @Test func `a subject sends to those who are there`() {
    let subject = PassthroughSubject<Int, Never>()
    let received = Received<Int>()
    subject.send(1)
    received.connect(subject)
    subject.send(2)
    subject.send(completion: .finished)
    subject.send(3)
    #expect(received.values == [2])
    #expect(received.ends == 1)
    let late = Received<Int>()
    late.connect(subject)
    #expect(late.ends == 1)
  }

  @Test func `a subject with a value sends it first`() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let received = Received<Int>()
    received.connect(subject)
    subject.value = 2
    subject.send(3)
    #expect(received.values == [1, 2, 3])
    #expect(subject.value == 3)
    subject.send(completion: .finished)
    subject.value = 4
    #expect(subject.value == 3)
  }

  @Test func `a connection ends with its last reference`() {
    let subject = PassthroughSubject<Int, Never>()
    let received = Received<Int>()
    received.connect(subject)
    received.connections = []
    subject.send(1)
    #expect(received.values.isEmpty)
  }

  @Test func `a value that is sent while one is received comes after it`() {
    let subject = PassthroughSubject<Int, Never>()
    var values: [Int] = []
    let connection = subject.sink { value in
      if value == 1 { subject.send(2) }
      values.append(value)
    }
    subject.send(1)
    #expect(values == [1, 2])
    connection.cancel()
    connection.cancel()
  }

  @Test func `values are mapped, chosen and counted as in a sequence`() {
    let numbers = [3, 1, 1, 4, 1, 5, 9, 2, 6]
    let received = Received<String>()
    received.connect(
      numbers.publisher.filter { $0 > 1 }.removeDuplicates().scan(0, +).dropFirst()
        .compactMap { $0 % 2 == 0 ? nil : "\($0)" }.prefix(3)
    )
    #expect(received.values == ["7", "21", "23"])
    #expect(received.ends == 1)
    let none = Received<Int>()
    none.connect(numbers.publisher.prefix(0))
    #expect(none.values.isEmpty && none.ends == 1)
    let lists = Received<[Int]>()
    lists.connect(numbers.publisher.collect())
    #expect(lists.values == [numbers])
    let first = Received<Int>()
    first.connect(numbers.publisher.first { $0 > 3 })
    #expect(first.values == [4])
  }

  @Test func `an error ends, is replaced, or is followed by another publisher`() {
    let failing = [1, 2, 3].publisher.tryMap { number throws -> Int in
      if number == 2 { throw Mistake() }
      return number
    }
    let replaced = Received<Int>()
    replaced.connect(failing.replaceError(with: 0))
    #expect(replaced.values == [1, 0])
    let caught = Received<Int>()
    caught.connect(failing.catch { _ in [7, 8].publisher })
    #expect(caught.values == [1, 7, 8])
    #expect(caught.ends == 1)
    var errors: [Mistake?] = []
    _ = failing.mapError { $0 as? Mistake ?? Mistake() }.sink { completion in
      if case .failure(let error) = completion { errors.append(error) }
    } receiveValue: { _ in
    }
    #expect(errors == [Mistake()])
  }

  @Test func `several publishers are combined`() {
    let (one, other) = (PassthroughSubject<Int, Never>(), PassthroughSubject<String, Never>())
    let latest = Received<String>()
    latest.connect(one.combineLatest(other).map { "\($0)\($1)" })
    let pairs = Received<String>()
    pairs.connect(one.zip(other).map { "\($0)\($1)" })
    let merged = Received<String>()
    merged.connect(one.map { "\($0)" }.merge(with: other))
    one.send(1)
    one.send(2)
    other.send("a")
    other.send("b")
    #expect(latest.values == ["2a", "2b"])
    #expect(pairs.values == ["1a", "2b"])
    #expect(merged.values == ["1", "2", "a", "b"])
    one.send(completion: .finished)
    #expect(latest.ends == 0 && merged.ends == 0 && pairs.ends == 1)
    other.send(completion: .finished)
    #expect(latest.ends == 1 && merged.ends == 1)
  }

  @Test func `only the latest inner publisher is heard after a switch`() {
    let outer = PassthroughSubject<PassthroughSubject<Int, Never>, Never>()
    let (one, other) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let switched = Received<Int>()
    switched.connect(outer.switchToLatest())
    let all = Received<Int>()
    all.connect(outer.flatMap { $0 })
    outer.send(one)
    one.send(1)
    outer.send(other)
    one.send(2)
    other.send(3)
    #expect(switched.values == [1, 3])
    #expect(all.values == [1, 2, 3])
  }

  @Test func `a subscriber gets as many values as it wants`() {
    final class Two: Subscriber {
      var values: [Int] = []
      var subscription: (any Subscription)?
      func receive(subscription: any Subscription) {
        self.subscription = subscription
        subscription.request(.max(2))
      }
      func receive(_ input: Int) -> Subscribers.Demand {
        values.append(input)
        return .none
      }
      func receive(completion: Subscribers.Completion<Never>) {}
    }
    let two = Two()
    (1...9).publisher.map { $0 * 10 }.filter { $0 > 10 }.subscribe(two)
    #expect(two.values == [20, 30])
    two.subscription?.request(.max(1))
    #expect(two.values == [20, 30, 40])
  }

  @Test func `a future gives all the result that came first`() {
    var promise: ((Result<Int, Never>) -> Void)?
    let future = Future<Int, Never> { promise = $0 }
    let received = Received<Int>()
    received.connect(future)
    promise?(.success(1))
    promise?(.success(2))
    received.connect(future)
    #expect(received.values == [1, 1])
    #expect(received.ends == 2)
  }

  @Test func `a shared publisher is connected once`() {
    var count = 0
    let subject = PassthroughSubject<Int, Never>()
    let shared = Deferred {
      count += 1
      return subject
    }
    .share()
    let received = Received<Int>()
    received.connect(shared)
    received.connect(shared)
    subject.send(1)
    #expect(received.values == [1, 1])
    #expect(count == 1)
  }

  @Test func `values arrive on a queue in their order`() async {
    let queue = DispatchQueue(label: "values")
    let values = await withCheckedContinuation { continuation in
      var connection: AnyCancellable?
      connection = (0..<1000).publisher.receive(on: queue).collect().sink { values in
        dispatchPrecondition(condition: .onQueue(queue))
        continuation.resume(returning: values)
        connection?.cancel()
      }
    }
    #expect(values == Array(0..<1000))
  }

  @Test func `only the last of quick values passes, and the last before the end is not lost`() async
  {
    let subject = PassthroughSubject<Int, Never>()
    let debounced = subject.debounce(for: .seconds(60), scheduler: DispatchQueue.global())
    let received = Received<Int>()
    received.connect(debounced)
    for number in 1...5 { subject.send(number) }
    #expect(received.values.isEmpty)
    subject.send(completion: .finished)
    #expect(received.values == [5])
    var numbers: [Int] = []
    let quick = PassthroughSubject<Int, Never>()
    let values = quick.debounce(for: .milliseconds(20), scheduler: DispatchQueue.global()).values
    for number in 1...3 { quick.send(number) }
    for await number in values {
      numbers.append(number)
      break
    }
    #expect(numbers == [3])
  }

  @Test func `threads that send beside each other lose no value`() {
    let subject = PassthroughSubject<Int, Never>()
    let count = Mutex(0)
    let connection = subject.sink { _ in count.withLock { $0 += 1 } }
    nonisolated(unsafe) let shared = subject
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for number in 0..<1000 { shared.send(number) }
    }
    #expect(count.withLock { $0 } == 8000)
    connection.cancel()
  }

  @Test func `notifications are published until the connection ends`() {
    let center = NotificationCenter()
    let name = Notification.Name("published")
    var count = 0
    let connection = center.publisher(for: name).sink { _ in count += 1 }
    center.post(name: name, object: nil)
    connection.cancel()
    center.post(name: name, object: nil)
    #expect(count == 1)
  }
}
