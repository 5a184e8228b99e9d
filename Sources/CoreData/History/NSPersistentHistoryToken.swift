public import Foundation

/// A position in the persistent history of one or more stores.
///
/// Archive the token of the last transaction that you have processed to continue from there when
/// the program runs again:
///
/// ```swift
/// let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
/// try data.write(to: bookmark)
/// …
/// let token = try NSKeyedUnarchiver.unarchivedObject(
///   ofClass: NSPersistentHistoryToken.self,
///   from: Data(contentsOf: bookmark)
/// )
/// ```
///
/// A token contains the number of one transaction for each store, by the store's UUID. Tokens with
/// the same numbers are equal.
public final class NSPersistentHistoryToken: NSObject, NSCopying, NSSecureCoding,
  Sendable
{
  private let numbers: [String: Int64]
  /// Whether a context of this coordinator has saved the last transaction; archives do not have it.
  package let isOfOwnSave: Bool

  init(_ numbers: [String: Int64], isOfOwnSave: Bool = false) {
    self.numbers = numbers
    self.isOfOwnSave = isOfOwnSave
    super.init()
  }

  /// The number of the transaction in the store with that UUID; `nil` if it is unknown.
  package convenience init(numbers: [String: Int64]) { self.init(numbers) }

  /// The numbers of the last transactions, by the identifiers of the stores.
  package var allNumbers: [String: Int64] { numbers }

  package subscript(identifier: String) -> Int64? { numbers[identifier] }

  /// This place, further on in one store.
  package func advanced(to number: Int64, in identifier: String) -> NSPersistentHistoryToken {
    NSPersistentHistoryToken(numbers.merging([identifier: number]) { _, new in new })
  }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? NSPersistentHistoryToken)?.numbers == numbers
  }

  public override var hash: Int { numbers.hashValue }

  public override var description: String {
    let places = numbers.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
    return "<NSPersistentHistoryToken - {\(places.joined(separator: "; "))}>"
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  // MARK: Archives

  /// A Boolean value that indicates whether tokens support secure coding, which is always `true`.
  public static var supportsSecureCoding: Bool { true }

  private static let identifiersKey = "storeIdentifiers"
  private static let numbersKey = "transactionNumbers"

  public func encode(with coder: NSCoder) {
    let pairs = numbers.sorted { $0.key < $1.key }
    coder.encode(pairs.map(\.key) as NSArray, forKey: Self.identifiersKey)
    coder.encode(pairs.map { NSNumber(value: $0.value) } as NSArray, forKey: Self.numbersKey)
  }

  /// Creates a token from an archive.
  ///
  /// The initializer fails if the archive does not contain one.
  ///
  /// - Parameter coder: The archive.
  public required init?(coder: NSCoder) {
    let identifiers = coder.decodeObject(
      of: [NSArray.self, NSString.self],
      forKey: Self.identifiersKey
    )
    let numbers = coder.decodeObject(of: [NSArray.self, NSNumber.self], forKey: Self.numbersKey)
    guard let identifiers = identifiers as? [String], let numbers = numbers as? [NSNumber],
      identifiers.count == numbers.count
    else { return nil }
    let pairs = zip(identifiers, numbers.map(\.int64Value))
    self.numbers = Dictionary(pairs) { _, last in last }
    isOfOwnSave = false
    super.init()
  }
}

extension NSPersistentHistoryToken {
  /// The place that a save has reached; `nil` if no store keeps a history.
  static func reached(by saved: [StoreSave]) -> NSPersistentHistoryToken? {
    var numbers: [String: Int64] = [:]
    for part in saved {
      if let number = part.receipt?.historyNumber { numbers[part.store.identifier] = number }
    }
    return numbers.isEmpty ? nil : NSPersistentHistoryToken(numbers)
  }
}
