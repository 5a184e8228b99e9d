import CoreDataSyncCore
import CoreDataSyncCrypto

// MARK: - Getting back what was lost

extension ZoneServer {
  /// Puts the cells of a zone aside that something has changed since they were kept, and returns their number.
  ///
  /// All devices then take the server for one that was restored from a backup: they send what they have and it lacks.
  func putDamagedAside(in zone: String) throws -> Int {
    try storage.transact(on: zone) { transaction in
      let count = try transaction.putDamagedAside()
      guard count > 0 else { return 0 }
      try transaction.setSize(nil)
      try transaction.begin(anew: try transaction.state())
      return count
    }
  }

  /// Lets the values that refer to some assets come to all devices again, and returns the number of the last change.
  ///
  /// Those that have one of the assets notice that it is lost, and send it.
  ///
  /// - Returns: `nil` if the zone does not have such values.
  func giveAgain(
    valuesWith isLost: (AssetReference) throws -> Bool,
    in zone: String
  ) throws -> UInt64? {
    try storage.transact(on: zone) { transaction in
      var state = try transaction.state()
      let count = try transaction.renumber(valuesWith: isLost, after: state.head)
      guard count > 0 else { return nil }
      try grow(&state, by: count, transaction)
      return state.head
    }
  }
}

extension ZoneServer {
  /// Gives the last change of a zone another number, without a change, and returns it.
  func raiseHead(of zone: String) throws -> UInt64 {
    try storage.transact(on: zone) { transaction in
      var state = try transaction.state()
      try grow(&state, by: 1, transaction)
      return state.head
    }
  }
}

extension ZoneTransaction {
  /// Makes all devices read a zone from the beginning, and send what it lacks: nothing that they have read is of its
  /// new and only era.
  package func begin(anew state: ZoneState) throws {
    var state = state
    try forgetEras()
    state.eras = [ZoneState.Era(number: .random(in: 1...UInt64.max), start: 0)]
    // Devices look at the number of the last change: another one has them ask.
    state.head += 1
    try setState(state)
  }
}
