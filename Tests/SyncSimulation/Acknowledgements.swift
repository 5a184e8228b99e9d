import CoreDataSync
import CoreDataSyncCore

/// Remembers every cell that the server has told a device to have, as it was on the wire.
///
/// ```
/// what is shown in the end   the greatest stamp of each register that was acknowledged
///                            no deleted object; each occurrence of a member that was not removed
/// what has lost              is among the conflicts of the device that wrote it
/// ```
///
/// It knows the protocol and not the engine: which cell of two is the greater it decides by its own rule.
struct Acknowledgements {
  private var told: [CellKey: [Told]] = [:]
  /// How many requests were answered.
  private var count = 0
  /// When each device was last put back to a backup, or began again.
  private var breaks: [Int: Int] = [:]
  private var hasServerBackup: Int?
  /// The backups of devices as a whole that have saves which nobody had read, and which were put back.
  private var unreadBackups: [UnreadBackup] = []
  /// The lives of objects, and the members, that were sent as new ones after their ends were acknowledged.
  private var madeAgain: [CellKey: [MadeAgain]] = [:]
  /// Whether the server was put back to a time when it had cells that all have forgotten since.
  var mayReturnWhatWasForgotten = false

  /// A cell that was acknowledged.
  struct Told {
    let cell: Cell
    /// The device that has sent it first.
    let device: Int
    let count: Int
    /// When the server got it, or got it again after it had lost it.
    var arrival: Int
    /// Whether the server was put back to before it had the cell.
    var isBehindBackup = false
    /// Whether that device was put back to before it had sent it, or may have been.
    var isUndone = false

    /// Whether nobody may have it any more.
    var mayBeLost: Bool { isBehindBackup && isUndone }

    /// The server has got it once more.
    mutating func isBack(at count: Int) {
      if isBehindBackup { arrival = count }
      isBehindBackup = false
    }
  }

  /// When something was sent once more, and the devices that knew of its end then.
  private struct MadeAgain {
    let count: Int
    let knowing: [Int]
  }

  /// A backup of a device, and when it was made and put back.
  private struct UnreadBackup {
    let device: Int
    let made: Int
    let putBack: Int
  }
}

// MARK: - Listening

extension Acknowledgements {
  /// Takes note of the server's answers to a device.
  mutating func note(_ request: SyncRequest, _ response: SyncResponse, from device: Int) {
    count += 1
    switch (request, response) {
    case (.push(let push), .pushed): for keyed in push.cells { note(keyed, from: device) }
    case (.pull(let pull), .page): if pull.isSnapshot { breaks[device] = count }
    case (.push, .page), (.push, .refused), (.pull, .pushed), (.pull, .refused): break
    }
  }

  private mutating func note(_ keyed: KeyedCell, from device: Int) {
    if let place = told[keyed.key]?.firstIndex(where: { $0.cell == keyed.cell }) {
      told[keyed.key]?[place].isBack(at: count)
    } else {
      let new = Told(cell: keyed.cell, device: device, count: count, arrival: count)
      told[keyed.key, default: []].append(new)
    }
  }

  /// How many requests were answered when a backup is made of a device.
  var moment: Int { count }

  /// A device was put back as a whole to a backup that has saves which it had not read then.
  mutating func noteUnreadIsPutBack(_ device: Int, madeAt moment: Int) {
    unreadBackups.append(UnreadBackup(device: device, made: moment, putBack: count))
  }

  mutating func noteServerBackup() { hasServerBackup = count }

  mutating func noteServerIsPutBack() {
    let backup = hasServerBackup ?? 0
    mark { if $0.arrival > backup { $0.isBehindBackup = true } }
  }

  mutating func noteIsPutBack(_ device: Int) {
    breaks[device] = count
    mark { if $0.device == device { $0.isUndone = true } }
  }

  private mutating func mark(_ change: (inout Told) -> Void) {
    for key in told.keys {
      for place in told[key, default: []].indices { change(&told[key, default: []][place]) }
    }
  }

  /// The deletions that were acknowledged, and that nothing has undone.
  var deaths: [KeyedCell] {
    told.compactMap { key, all in
      guard key.field == .life, let last = Self.greatest(of: all), !last.isLife else { return nil }
      return KeyedCell(key, last)
    }
  }
}

// MARK: - Registers

extension Acknowledgements {
  /// The fault in the cells of a device that has everything; `nil` for none.
  func objection(to sidecar: Sidecar) throws -> String? {
    for (key, all) in told.sorted(by: { $0.key < $1.key }) where !isExcused(key) {
      guard let greatest = Self.greatest(of: all) else { continue }
      let known = try sidecar.cells(of: key.object)
      if hasEnded(key) {
        if known?.isAlive != true || mayBeMadeAgain(CellKey(key.object, .life)) { continue }
        return "\(key.object) lives, although its end was acknowledged."
      }
      guard let now = known?[key.field] else {
        if !mustBeThere(key, greatest, known) { continue }
        return "\(key) is not there, although \(greatest) was acknowledged."
      }
      if now == greatest { continue }
      if case .member = key.field, mayBeMadeAgain(key) { continue }
      // Of two removals one may be forgotten.
      if CellValue.isRemoval(now.payload), CellValue.isRemoval(greatest.payload) { continue }
      if greatest.isGreater(than: now) {
        return "\(key) is \(now), although \(greatest) was acknowledged."
      }
      // It may be one of those that might have been lost.
      if all.contains(where: { $0.cell == now }) { continue }
      return "\(key) is \(now), which nobody has sent."
    }
    return nil
  }

  /// Whether an object was deleted, so that it may be forgotten with all that was known of it.
  private func hasEnded(_ key: CellKey) -> Bool {
    Self.greatest(of: told[CellKey(key.object, .life)] ?? []).map { !$0.isLife } ?? false
  }

  /// The lives and members of a request that are sent as new ones although their ends were acknowledged.
  func keysMadeAgain(by request: SyncRequest, _ response: SyncResponse) -> [CellKey] {
    guard case .push(let push) = request, case .pushed = response else { return [] }
    return push.cells.compactMap { keyed in
      keyed.isNew && Self.greatest(of: told[keyed.key] ?? [])?.isEnd(at: keyed.key.field) == true
        ? keyed.key : nil
    }
  }

  mutating func note(madeAgain key: CellKey, known devices: [Int]) {
    madeAgain[key, default: []].append(MadeAgain(count: count, knowing: devices))
  }

  /// Whether a device may take an object, or a member of a set, for a new one that it has sent already.
  ///
  /// It was put back to a backup after which it had read that, and nobody knew of the end any more, or the device that
  /// did was put back as well before it could say so.
  func mayBeMadeAgain(_ key: CellKey) -> Bool {
    let cells = told[key] ?? []
    let isUnread = unreadBackups.contains { backup in
      cells.contains {
        $0.device == backup.device && KeyedCell(key, $0.cell).isNew && $0.count > backup.made
          && $0.count <= backup.putBack
      }
    }
    return isUnread
      && madeAgain[key, default: []].contains { again in
        again.knowing.allSatisfy { breaks[$0] ?? 0 > again.count }
      }
  }

  /// Whether an object may have a member again that was taken out of its set.
  func mayHaveMemberAgain(_ object: SyncID) -> Bool {
    madeAgain.keys.contains { key in
      guard key.object == object, case .member = key.field else { return false }
      return mayBeMadeAgain(key)
    }
  }

  /// Whether a server that was put back may bring back what it had forgotten.
  private func isExcused(_ key: CellKey) -> Bool {
    guard mayReturnWhatWasForgotten else { return false }
    let lives = told[CellKey(key.object, .life)] ?? []
    if lives.contains(where: { !$0.cell.isLife }) { return true }
    guard case .member = key.field else { return false }
    return told[key]?.contains { CellValue.isRemoval($0.cell.payload) } == true
  }

  /// Whether the cell must be there: removed members and former places may be forgotten.
  private func mustBeThere(_ key: CellKey, _ greatest: Cell, _ known: ObjectCells?) -> Bool {
    switch key.field {
    case .life: return true
    case .value: break
    case .member: if CellValue.isRemoval(greatest.payload) { return false }
    case .place, .lost: return false
    }
    // Of an object that is gone its life tells.
    return known?.isAlive == true && known?.epoch == greatest.epoch
  }

  /// The greatest of those that somebody must have still.
  private static func greatest(of all: [Told]) -> Cell? {
    all.filter { !$0.mayBeLost }.map(\.cell).max { $1.isGreater(than: $0) }
  }
}

extension Cell {
  /// The life, then the stamp, then the content.
  fileprivate func isGreater(than other: Cell) -> Bool {
    let (own, their) = (stamp, other.stamp)
    if epoch != other.epoch { return epoch > other.epoch }
    if own.moment != their.moment { return own.moment > their.moment }
    if own.writer != their.writer { return own.writer > their.writer }
    return other.payload.lexicographicallyPrecedes(payload)
  }

  fileprivate var isLife: Bool { epoch & 1 == 1 }

  /// Whether it ends the life of an object, or takes a member out.
  func isEnd(at field: CellKey.Field) -> Bool {
    switch field {
    case .life: !isLife
    case .member: CellValue.isRemoval(payload)
    case .value, .place, .lost: false
    }
  }

  /// Whether it has the same value, or leads to the same object: another place there is none that anybody would miss.
  fileprivate func saysTheSame(as other: Cell) -> Bool {
    if payload == other.payload { return true }
    let end = CellValue.reference(in: payload)
    return end != nil && end == CellValue.reference(in: other.payload)
  }

  /// Whether it is a later one of the same device, which has lost before the server had it.
  fileprivate func replaces(_ other: Cell) -> Bool {
    isGreater(than: other)
      && DeviceTag(writer: stamp.writer) == DeviceTag(writer: other.stamp.writer)
  }
}

extension KeyedCell {
  /// Whether it is the first life of an object, or puts a member in.
  fileprivate var isNew: Bool {
    switch key.field {
    case .life: cell.epoch == 1
    case .member: cell.payload == CellValue.present
    case .value, .place, .lost: false
    }
  }
}

// MARK: - What is shown

extension Acknowledgements {
  /// The fault in a device's view of those cells; `nil` for none.
  func objection(to graph: [GraphObject], _ sidecar: Sidecar) throws -> String? {
    let shown = Set(graph.compactMap(\.identity))
    for object in graph {
      guard let id = object.identity, let cells = try sidecar.cells(of: id) else {
        return "\(object.line) is known to nobody."
      }
      for (property, cell) in cells.values where cell.epoch == cells.epoch {
        let value = CellValue(payload: cell.payload)
        if let text = object.values[property], text != value?.shownText {
          return "\(object.line) shows \(text ?? "nothing") where the latest is \(cell)."
        }
        if let end = object.ends[property] {
          let wanted = value?.reference.flatMap { shown.contains($0) ? $0 : nil }
          if end != wanted {
            return "\(object.line) does not lead to where the latest \(cell) does."
          }
        }
      }
    }
    return nil
  }
}

extension CellValue {
  /// A text or a number as it is shown; nil for nothing.
  fileprivate var shownText: String? {
    switch self {
    case .text(let text): text
    case .integer(let number): "\(number)"
    case .null, .boolean, .real, .decimal, .bytes, .date, .uuid, .address, .parts, .reference,
      .place,
      .entity:
      nil
    }
  }
}

// MARK: - Conflicts

extension Acknowledgements {
  /// Whether somebody else has written another value in the very moment of a text, so that what was written over that one
  /// seems to be written over the text.
  func isTied(_ text: String) -> Bool {
    let payload = CellValue.text(text).payload
    return told.values.contains { all in
      guard let stamp = all.first(where: { $0.cell.payload == payload })?.cell.stamp else {
        return false
      }
      return all.contains {
        $0.cell.stamp.moment == stamp.moment && $0.cell.stamp.writer != stamp.writer
      }
    }
  }

  /// The value that a device has written and lost without a trace; `nil` for none.
  ///
  /// It must keep a value that lost against a writer who had not seen it, unless that was of a life that has ended, or
  /// the device was put back or has begun again since: then it has forgotten its writes.
  func objection(toConflictsOf device: Int, _ sidecar: Sidecar) throws -> String? {
    let conflicts = try sidecar.keptConflicts().map(\.keyed)
    let kept = Set(conflicts.map { Lost($0.key, $0.cell.payload) })
    for (key, all) in told.sorted(by: { $0.key < $1.key }) {
      guard case .value = key.field, let cells = try sidecar.cells(of: key.object), cells.isAlive
      else {
        continue
      }
      let lived = all.filter { $0.cell.epoch == cells.epoch }
      for lost in lived where lost.device == device && lost.count > breaks[device] ?? 0 {
        // The value that it would have lost to may be lost itself.
        if cells[key.field] == lost.cell { continue }
        if hasLost(lost, among: lived), !kept.contains(Lost(key, lost.cell.payload)),
          !conflicts.contains(where: { $0.key == key && $0.cell.replaces(lost.cell) })
        {
          return "Device \(device) has lost \(lost.cell) of \(key), and has no conflict."
        }
      }
    }
    return nil
  }

  private struct Lost: Hashable {
    let key: CellKey
    let payload: [UInt8]

    init(_ key: CellKey, _ payload: [UInt8]) {
      self.key = key
      self.payload = payload
    }
  }

  /// Whether there are later ones, and none whose writer had seen this, or has written the same.
  ///
  /// The device itself has seen its own writes, even if it has not heard that the server has them.
  private func hasLost(_ lost: Told, among all: [Told]) -> Bool {
    let later = all.filter { $0.cell.isGreater(than: lost.cell) }
    return !later.isEmpty
      && later.allSatisfy {
        $0.device != lost.device && $0.cell.base < lost.cell.stamp.moment
          && !$0.cell.saysTheSame(as: lost.cell)
      }
  }
}
