import Foundation

/// An object that tells subscribers before one of its `@Published` properties changes.
public protocol ObservableObject: AnyObject {
  /// The type of the publisher.
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  /// A publisher that sends before the object changes.
  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// A publisher that sends before one of the object's `@Published` properties changes.
  ///
  /// The object must have such a property, which keeps the publisher. An object without one declares
  /// `let objectWillChange = ObservableObjectPublisher()` itself, and calls `send()`.
  public var objectWillChange: ObservableObjectPublisher {
    var mirror: Mirror? = Mirror(reflecting: self)
    var shared: ObservableObjectPublisher?
    while let present = mirror {
      for case let property as any PublishedProperty in present.children.lazy.map(\.value) {
        shared = property.connect(shared)
      }
      mirror = present.superclassMirror
    }
    return shared ?? ObservableObjectPublisher()
  }
}

/// The publisher of an object that is about to change.
public final class ObservableObjectPublisher: Publisher {
  public typealias Output = Void
  public typealias Failure = Never

  private let subject = PassthroughSubject<Void, Never>()
  /// The publisher of these and the object's own events, or `nil` without an object.
  private let source: Publishers.Made<Void, Never>?

  /// Creates a publisher without subscribers.
  public init() { source = nil }

  /// Creates a publisher for an object that notices changes itself.
  ///
  /// `connect` gets a subscriber, and the subject of those who call ``send()``.
  init(_ connect: @escaping (Relay<Void, Never>, PassthroughSubject<Void, Never>) -> Void) {
    let subject = subject
    source = Publishers.Made { connect($0, subject) }
  }

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Void, Downstream.Failure == Never {
    if let source { return source.receive(subscriber: subscriber) }
    subject.receive(subscriber: subscriber)
  }

  /// Tells the subscribers that the object is about to change.
  public func send() { subject.send() }
}

private protocol PublishedProperty {
  /// Takes the object's publisher, or makes it.
  func connect(_ publisher: ObservableObjectPublisher?) -> ObservableObjectPublisher
}

/// A property of a class whose values are published, before each change.
///
/// ```swift
/// final class Editor: ObservableObject {
///   @Published var title = ""
/// }
///
/// editor.$title.sink { print($0) }
/// ```
@propertyWrapper
public struct Published<Value>: PublishedProperty {
  let state: PublishedState<Value>

  /// Creates a property with its first value.
  public init(wrappedValue: Value) { state = PublishedState(wrappedValue) }

  /// Creates a property with its first value.
  public init(initialValue: Value) { state = PublishedState(initialValue) }

  @available(*, unavailable, message: "@Published is for properties of classes")
  public var wrappedValue: Value {
    get { state.value }
    nonmutating set { state.set(newValue) }
  }

  /// The publisher of the property.
  ///
  /// It sends the present value first, and each later one before the property has it.
  public var projectedValue: Publisher {
    get { Publisher(state: state) }
    // `assign(to: &$title)` writes back what it has read.
    nonmutating set {}
  }

  public static subscript<Object: AnyObject>(
    _enclosingInstance object: Object,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<Object, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<Object, Published<Value>>
  ) -> Value {
    get { object[keyPath: storageKeyPath].state.value }
    set {
      let state = object[keyPath: storageKeyPath].state
      guard !state.isConnected else { return state.set(newValue) }
      // The publisher of the object's own, or that of its properties, which is connected by this.
      (object as? any ObservableObject)?.tell()
      state.publish(newValue)
    }
  }

  fileprivate func connect(_ publisher: ObservableObjectPublisher?) -> ObservableObjectPublisher {
    state.connect(publisher)
  }

  /// The publisher of a property.
  public struct Publisher: Combine.Publisher {
    public typealias Output = Value
    public typealias Failure = Never

    let state: PublishedState<Value>

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Value, Downstream.Failure == Never {
      state.subject.receive(subscriber: subscriber)
    }
  }
}

extension ObservableObject {
  /// Sends through the publisher that the object has itself, or that its properties keep.
  fileprivate func tell() {
    (objectWillChange as? ObservableObjectPublisher)?.send()
  }
}

/// The value of a published property.
final class PublishedState<Value> {
  private let lock = NSRecursiveLock()
  private var current: Value
  private var ownerPublisher: ObservableObjectPublisher?
  private var connections: [AnyCancellable] = []
  let subject: CurrentValueSubject<Value, Never>

  init(_ value: Value) {
    current = value
    subject = CurrentValueSubject(value)
  }

  var value: Value { lock.withLock { current } }

  var isConnected: Bool { lock.withLock { ownerPublisher != nil } }

  /// Tells the subscribers of the object, and publishes the value.
  func set(_ value: Value) {
    lock.withLock { ownerPublisher }?.send()
    publish(value)
  }

  /// Publishes the value, and then has it.
  func publish(_ value: Value) {
    subject.send(value)
    lock.withLock { current = value }
  }

  func connect(_ publisher: ObservableObjectPublisher?) -> ObservableObjectPublisher {
    lock.withLock {
      let shared = publisher ?? ownerPublisher ?? ObservableObjectPublisher()
      ownerPublisher = shared
      return shared
    }
  }

  func keep(_ connection: AnyCancellable) {
    lock.withLock { connections.append(connection) }
  }
}
