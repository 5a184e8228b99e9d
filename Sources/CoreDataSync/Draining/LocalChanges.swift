import CoreData
import Foundation

/// The changes of the program and others in a store since it was last read.
struct LocalChanges {
  /// The times of the transactions, in their order.
  private(set) var times: [Date] = []
  /// The touched objects, in an order that does not change from run to run.
  private(set) var touches: [Touch] = []
  /// The position behind the last of them.
  private(set) var token: NSPersistentHistoryToken?
  /// The position before the last of them; `nil` if there is only one.
  private(set) var tokenBeforeLast: NSPersistentHistoryToken?
  private(set) var numbers: [(number: Int64, time: Date)] = []
  private var ownNumbers: [Int64] = []
  /// The number of the last transaction when all objects were looked at; `nil` if they were not, or if the number is
  /// unknown.
  private(set) var lookedAt: Int64?
  /// Whether it was found by looking, so that nobody knows when it was.
  private(set) var isFound = false
  /// Whether the first transaction is older than all that anybody knows.
  private(set) var isOldest = false

  /// The fate of one object; numbers are those of transactions in `times`.
  struct Touch {
    let id: NSManagedObjectID
    let address: String
    var inserted: Int?
    var deleted: Int?
    /// The last that has changed each property.
    var properties: [String: Int] = [:]
    /// Those that have changed a relationship before the last.
    fileprivate var earlier: [String: [Int]] = [:]

    init(_ id: NSManagedObjectID) {
      self.id = id
      address = id.address
    }

    /// All that have changed a relationship, the first first; the object's insertion is one of them.
    func transactions(of relationship: String) -> [Int] {
      let last = properties[relationship].map { [$0] } ?? []
      return (inserted.map { [$0] } ?? []) + (earlier[relationship] ?? []) + last
    }

    func countOfTransactions(of relationship: String) -> Int {
      (inserted == nil ? 0 : 1) + (earlier[relationship]?.count ?? 0)
        + (properties[relationship] == nil ? 0 : 1)
    }

    func isChanged(_ relationship: String, by transaction: Int) -> Bool {
      if transaction == inserted || transaction == properties[relationship] { return true }
      let earlier = earlier[relationship] ?? []
      let place = earlier.partitioningIndex { $0 >= transaction }
      return place < earlier.endIndex && earlier[place] == transaction
    }
  }

  init(_ transactions: [any StoreTransaction]) {
    var places: [NSManagedObjectID: Int] = [:]
    for transaction in transactions {
      tokenBeforeLast = token
      token = transaction.token
      numbers.append((transaction.transactionNumber, transaction.timestamp))
      if transaction.author == StoreDoor.author { continue }
      times.append(transaction.timestamp)
      ownNumbers.append(transaction.transactionNumber)
      for change in transaction.storeChanges { note(change, times.count - 1, &places) }
    }
    touches.sort { $0.address < $1.address }
  }

  /// A set that may have lost members in a transaction, although the history does not name its object.
  struct Loss {
    let id: NSManagedObjectID
    let name: String
    let transaction: Int
  }

  /// Makes these sets be compared with their known cells, besides those that the history names.
  mutating func add(_ losses: [Loss]) {
    if losses.isEmpty { return }
    var places: [String: Int] = [:]
    for (place, touch) in touches.enumerated() { places[touch.address] = place }
    for loss in losses {
      let address = loss.id.address
      let place = places[address] ?? touches.count
      if place == touches.count {
        touches.append(Touch(loss.id))
        places[address] = place
      }
      if touches[place].properties[loss.name] == nil {
        touches[place].properties[loss.name] = loss.transaction
      }
    }
    touches.sort { $0.address < $1.address }
  }

  /// Changes found by looking at all objects: insertions as the first transaction, all others as the second.
  ///
  /// At first nobody knows when objects were inserted, so the cells of other devices are later.
  init(found touches: [Touch], at time: Date, isFirst: Bool) {
    self.touches = touches.sorted { $0.address < $1.address }
    times = [isFirst ? Date(timeIntervalSince1970: 0) : time, time]
    isFound = true
    isOldest = isFirst
  }

  /// The touch of the object at an address; `nil` if it was not touched.
  func touch(at address: String) -> Touch? {
    let place = touches.partitioningIndex { $0.address >= address }
    return place < touches.endIndex && touches[place].address == address ? touches[place] : nil
  }

  /// The number of a transaction; `nil` if only the objects were looked at.
  func number(of transaction: Int) -> Int64? { isFound ? nil : ownNumbers[transaction] }

  /// The number of the transaction since which the store shows the writes of a transaction: zero for found changes that
  /// are older than all of the history, and for other found changes the last one there is.
  func numberOfShowing(_ transaction: Int) -> Int64? {
    if !isFound { return ownNumbers[transaction] }
    return isOldest && transaction == 0 ? 0 : lookedAt
  }

  /// When a transaction was, by the store's history.
  func historyTime(of transaction: Int) -> Date? { isFound ? nil : times[transaction] }

  /// Notes the position up to which it was looked at, and the history's transactions that were read with that.
  mutating func setPosition(
    _ token: NSPersistentHistoryToken?,
    _ numbers: [(number: Int64, time: Date)],
    last: Int64?
  ) {
    self.token = token
    self.numbers = numbers
    lookedAt = last
  }

  /// The number of the transaction since which there is something at an object's address, or nothing any more.
  ///
  /// Zero for objects that were there before all of the history. For changes found by looking it is the last one: at
  /// the earlier reading, the object was not there yet, or was there still.
  func numberOfLife(_ touch: Touch) -> Int64 {
    if isFound { return isOldest && touch.deleted == nil ? 0 : lookedAt ?? 0 }
    return (touch.deleted ?? touch.inserted).map { ownNumbers[$0] } ?? 0
  }

  var last: Int64? { numbers.last?.number }

  private mutating func note(
    _ change: any StoreChange,
    _ transaction: Int,
    _ places: inout [NSManagedObjectID: Int]
  ) {
    let id = change.changedObjectID
    let place = places[id] ?? touches.count
    if place == touches.count {
      touches.append(Touch(id))
      places[id] = place
    }
    switch change.changeType {
    case .insert:
      touches[place].inserted = transaction
      touches[place].deleted = nil
    case .update:
      let changed = change.changedNames
      // A change that was made with another model does not name its properties.
      for name in changed ?? Set(id.entity.propertiesByName.keys) {
        let before = touches[place].properties.updateValue(transaction, forKey: name)
        if let before, before != transaction, id.entity.relationshipsByName[name] != nil {
          touches[place].earlier[name, default: []].append(before)
        }
      }
    case .delete:
      touches[place].deleted = transaction
    }
  }
}

extension Array {
  /// The first place whose element fulfils what all behind it fulfil, and none before it.
  fileprivate func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
    var range = startIndex..<endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range =
        isBehind(self[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return range.lowerBound
  }
}
