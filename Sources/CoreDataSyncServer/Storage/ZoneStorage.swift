package import CoreDataSyncCore
package import CoreDataSyncCrypto

/// The place where a server keeps its zones: the few things that it needs from a database.
package protocol ZoneStorage: AnyObject, Sendable {
  /// Works on a zone in one transaction, during which no other does.
  ///
  /// A missing zone is made. An error that `work` throws takes back all that it did.
  func transact<Result>(
    on zone: String,
    _ work: (any ZoneTransaction) throws -> Result
  ) throws -> Result

  /// The names of the zones that are there.
  func zones() throws -> [String]

  /// Has changes told that other servers make in the same database, by their zone and number, from any thread.
  func tellOfOthers(_ tell: @escaping @Sendable (_ zone: String, _ number: UInt64) -> Void)

  /// Moves all that was written into the storage's one file, as far as it has one.
  ///
  /// A server does so when it stops, because people copy that file as a backup.
  func settle() throws

  /// The command with which the server's owner looks after it.
  var command: ServingCommand { get }
}

extension ZoneStorage {
  package func settle() throws {}

  package var command: ServingCommand { .folder }

  /// Nobody else writes.
  package func tellOfOthers(_ tell: @escaping @Sendable (_ zone: String, _ number: UInt64) -> Void)
  {
  }
}

/// A zone within a transaction.
package protocol ZoneTransaction {
  func state() throws -> ZoneState
  func setState(_ state: ZoneState) throws
  /// Forgets the runs in which something was written; the next state has others.
  func forgetEras() throws
  /// The era of present writes: that of the server's run, unless the storage knows better whether the zone may
  /// have been put back since the last one began.
  func era(ofRun run: UInt64, in state: ZoneState) throws -> UInt64

  /// The devices' description of the zone's encryption; `nil` if it is not encrypted.
  func seal() throws -> [UInt8]?
  func setSeal(_ seal: [UInt8]) throws

  /// Keeps cells of different keys as the changes behind that number, in their order, except those whose keys have
  /// the same or something later.
  func put(_ cells: [KeyedCell], after number: UInt64, isMeasured: Bool) throws -> KeptCells
  /// Puts the cells aside that something has changed since they were kept, and returns their number.
  func putDamagedAside() throws -> Int
  /// The cells that there are with some of these keys, in any order.
  ///
  /// - Throws: ``DamagedCells`` if something has changed one of them since it was kept.
  func cells(at keys: [CellKey]) throws -> [KeyedCell]
  /// The cells with later numbers, in their order; at most that many, and at most about that many bytes.
  ///
  /// - Throws: ``DamagedCells`` if something has changed one of them since it was kept.
  func cells(after number: UInt64, limit: Int, bytes: Int) throws -> [NumberedCell]

  /// The latest stamps that came from these writers.
  func watermarks(of writers: [UInt64]) throws -> [UInt64: Stamp]
  /// The latest stamp that came from any writer.
  func latestWatermark() throws -> Stamp?
  /// Notes stamps of different writers, each if it is later than the known one of its writer.
  func raiseWatermarks(_ stamps: [Stamp]) throws

  func acknowledgement(of replica: SyncID) throws -> UInt64?
  func setAcknowledgement(_ number: UInt64, of replica: SyncID, at time: UInt64) throws
  /// The last time that any replica was heard of; `nil` if there are no replicas.
  func lastHeard() throws -> UInt64?
  /// Takes down the replicas that were heard of after that time as heard of at it.
  func limitHeard(to time: UInt64) throws
  /// Forgets replicas, and says how many those were.
  func forgetReplicas(silentSince time: UInt64) throws -> Int
  /// The number that every replica has acknowledged; `nil` if there are no replicas.
  func smallestAcknowledgement() throws -> UInt64?

  /// Forgets the objects that are deleted, the members that are removed and the values that have lost, up to that number.
  ///
  /// An object stays if something newer is known about it, or if an object leads to it; if its identity represents its
  /// content, its life stays.
  ///
  /// - Returns: How many cells were forgotten.
  func purge(upTo number: UInt64) throws -> Int

  /// The bytes that the zone may keep, if somebody has set it; `Int.max` for no limit.
  func limit() throws -> Int?
  /// Takes down how many bytes the zone may keep; nil for as many as others may.
  func setLimit(_ bytes: Int?) throws
  /// The bytes of all cells, writers and replicas, as they were last taken down; `nil` if they have to be counted.
  func size() throws -> Int?
  func setSize(_ bytes: Int?) throws
  /// Counts the bytes of all cells by `KeyedCell.size`, and of writers and replicas by `ZoneHolding.sizeOfName`.
  func countSize() throws -> Int
  /// Counts writers and replicas, no more of them than that.
  func countNames(upTo limit: Int) throws -> Int

  /// The assets that cells refer to.
  func assets() throws -> Set<ContentHash>
  /// Gives the values that refer to some assets the numbers behind that one, and returns how many they are.
  func renumber(
    valuesWith isWanted: (AssetReference) throws -> Bool,
    after number: UInt64
  ) throws -> UInt64
  /// Assets that no cell refers to, with the times at which that was first noticed.
  func unusedAssets() throws -> [ContentHash: UInt64]
  /// Takes down assets that no cell refers to, in place of those that were.
  func setUnusedAssets(_ assets: [ContentHash: UInt64]) throws
}

extension ZoneTransaction {
  /// A database has checksums of its own for its pages.
  package func putDamagedAside() throws -> Int { 0 }
}

/// The results of putting cells.
package struct KeptCells: Hashable, Sendable {
  /// How many are kept.
  package var count: UInt64 = 0
  /// The bytes by which the zone is larger, if that is measured.
  package var growth = 0

  package init(count: UInt64 = 0, growth: Int = 0) {
    self.count = count
    self.growth = growth
  }
}

/// A cell with the number of its last change.
package struct NumberedCell: Hashable, Sendable {
  package let number: UInt64
  package let keyed: KeyedCell

  package init(_ number: UInt64, _ keyed: KeyedCell) {
    self.number = number
    self.keyed = keyed
  }
}

/// The state of a zone as a whole.
package struct ZoneState: Hashable, Sendable {
  /// The number of the last change.
  package var head: UInt64 = 0
  /// Deletions up to this number may be forgotten.
  package var floor: UInt64 = 0
  /// The runs of the server in which something was written, in their order.
  package var eras: [Era] = []

  package struct Era: Hashable, Sendable {
    package let number: UInt64
    /// The head when it began.
    package let start: UInt64

    package init(number: UInt64, start: UInt64) {
      self.number = number
      self.start = start
    }
  }

  package init() {}
}

extension ZoneState {
  /// Whether a device that has read so far has read nothing that this zone has not.
  package func hasWritten(_ cursor: Cursor) -> Bool {
    if cursor.position == 0 { return true }
    guard let index = eras.firstIndex(where: { $0.number == cursor.era }) else { return false }
    let end = index + 1 < eras.count ? eras[index + 1].start : head
    return eras[index].start < cursor.position && cursor.position <= end
  }

  package func cursor(at position: UInt64) -> Cursor {
    Cursor(position: position, era: eras.last { $0.start < position }?.number ?? 0)
  }
}

extension KeyedCell {
  /// Whether the cell says that something is gone: an object, a member, or a value that has lost.
  package var isDeath: Bool {
    switch key.field {
    case .life: cell.epoch & 1 == 0
    case .member: CellValue.isRemoval(cell.payload)
    case .lost: true
    case .value, .place: false
    }
  }
}
