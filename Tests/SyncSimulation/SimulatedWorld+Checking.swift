import CoreData
import CoreDataSync
import CoreDataSyncCore
import Foundation

/// The fault in a simulated history.
struct Objection: Error, CustomStringConvertible {
  let description: String
}

// MARK: - At the end of a history

extension SimulatedWorld {
  /// Lets all devices exchange changes until none has any, and sees that they agree, with a new one too.
  func heal() throws {
    trace?("heal")
    isHealing = true
    try join(latest: true)
    guard let newest = devices.last else { return }
    // Others go on with the program that they have.
    for device in devices where chance.happens(percent: 30) { try device.migrate() }
    try exchangeUntilRest()
    for device in devices { try checkDenials(at: device) }
    let sidecar = try newest.running().sidecar
    let whole = try graph(of: newest, as: newest.version)
    try object(acknowledgements.objection(to: sidecar))
    try object(acknowledgements.objection(to: whole, sidecar))
    for device in devices { try checkConflicts(at: device) }
    try checkLoss(whole)
    try checkAgreement(with: newest, whole)
    let objection = oracle.objection(
      to: whole,
      mayBeMadeAgain: { acknowledgements.mayBeMadeAgain(CellKey($0, .life)) },
      mayHaveMemberAgain: acknowledgements.mayHaveMemberAgain
    )
    try object(objection)
  }

  private func object(_ objection: String?) throws {
    if let objection { throw Objection(description: objection) }
  }

  /// Lets one device after the other exchange changes until, since the last that had any, each has asked once and had
  /// nothing to say.
  private func exchangeUntilRest() throws {
    var resting = 0
    for turn in 0..<(31 * devices.count) {
      let device = devices[turn % devices.count]
      let before = server.rounds
      try synchronize(device)
      try checkPairs(at: device)
      let isQuiet = try server.rounds == before + 1 && device.running().isAtRest
      resting = isQuiet ? resting + 1 : 0
      if resting == devices.count { return }
    }
    throw Objection(description: "It does not come to rest.")
  }

  /// All show the same, as far as their programs know of it.
  private func checkAgreement(with newest: SimulatedDevice, _ whole: [GraphObject]) throws {
    var shown = [newest.version: whole]
    for device in devices where device !== newest {
      let wanted = try shown[device.version] ?? graph(of: newest, as: device.version)
      shown[device.version] = wanted
      let graph = try graph(of: device, as: device.version)
      if graph == wanted { continue }
      throw Objection(
        description: "Device \(device.number) differs from a new one: \(difference(graph, wanted))"
      )
    }
  }

  /// A text that nobody has seen and replaced is shown or is a conflict somewhere.
  private func checkLoss(_ whole: [GraphObject]) throws {
    var kept: Set<String> = []
    for device in devices {
      for lost in try device.running().sidecar.keptConflicts() {
        if case .text(let text)? = CellValue(payload: lost.keyed.cell.payload) { kept.insert(text) }
      }
    }
    for device in devices {
      let known = device.written.dropFirst(device.forgotten).filter { !acknowledgements.isTied($0) }
      try object(oracle.objection(toLoss: known, kept: kept, in: whole))
    }
  }

  private func checkConflicts(at device: SimulatedDevice) throws {
    let sidecar = try device.running().sidecar
    try object(acknowledgements.objection(toConflictsOf: device.number, sidecar))
  }

  /// Nothing that somebody needs, and that cannot be deleted as long as it is needed, is deleted.
  private func checkDenials(at device: SimulatedDevice) throws {
    let engine = try device.running()
    // By the rules of the model, whatever the device makes of them.
    let repair = DenialRepair(engine.sidecar, models[models.count - 1].schema)
    let needed = try repair.needed(among: engine.sidecar.identities(in: .cell))
    if let id = needed.first {
      throw Objection(
        description: "\(id) is deleted at device \(device.number), although it is needed."
      )
    }
  }

  private func difference(_ one: [GraphObject], _ other: [GraphObject]) -> String {
    let here = Set(one).subtracting(other).sorted().prefix(3).map(\.line)
    let there = Set(other).subtracting(one).sorted().prefix(3).map(\.line)
    return
      "\nhere  \(here.joined(separator: "\n      "))\nthere \(there.joined(separator: "\n      "))"
  }

  /// The objects that a device shows, as far as a version of the program knows them.
  private func graph(of device: SimulatedDevice, as version: Int) throws -> [GraphObject] {
    let engine = try device.running()
    let context = device.context()
    return try context.performAndWait {
      var all: [GraphObject] = []
      for entity in SimulatedModel.versions[version].entities {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.includesSubentities = false
        for object in try context.fetch(request) {
          all.append(try GraphObject(object, as: entity, engine.sidecar))
        }
      }
      return all.sorted()
    }
  }
}

extension SyncEngine {
  /// Whether nothing waits, in either direction.
  fileprivate var isAtRest: Bool {
    get throws {
      try sidecar.unsentCount == 0 && sidecar.mode == .changes
        && sidecar.identities(in: .dirty).isEmpty
        && sidecar.received == sidecar.cursor
    }
  }
}

// MARK: - After each turn

extension SimulatedWorld {
  /// No device shows half of a save.
  func checkPairs(at device: SimulatedDevice) throws {
    let context = device.context()
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = isHalf
      guard let note = try context.fetch(request).min(by: { $0.mark < $1.mark }) else { return }
      throw Objection(description: "Device \(device.number) shows half of a save in \(note.mark).")
    }
  }
}

// MARK: - What a device shows

extension GraphObject {
  /// An object as far as an entity of another version of the program knows of it, by the names that never change.
  init(_ object: NSManagedObject, as entity: NSEntityDescription, _ sidecar: Sidecar) throws {
    func identity(_ object: NSManagedObject) throws -> SyncID? {
      try sidecar.identity(at: object.objectID.address)
    }
    func name(_ object: NSManagedObject) throws -> String {
      try identity(object).map { String($0.description.prefix(8)) } ?? "unknown"
    }
    let known = Set(entity.propertiesByName.values.map(\.stableName))
    let declaring = entity.superentity?.name ?? entity.name ?? "?"
    var texts: [String: String] = [:]
    var parts: [String: String] = [:]
    var values: [PropertyID: String?] = [:]
    var ends: [PropertyID: SyncID?] = [:]
    for property in object.entity.propertiesByName.values where known.contains(property.stableName)
    {
      let stable = property.stableName
      let value = object.value(forKey: property.name)
      if let relationship = property as? NSRelationshipDescription {
        if relationship.isToMany {
          let members = try object.members(named: property.name).map(name)
          parts[stable] = (relationship.isOrdered ? members : members.sorted())
            .joined(separator: " ")
          continue
        }
        let end = value as? NSManagedObject
        if let end { parts[stable] = try name(end) }
        // Of two that lead to each other one alone is kept, and others take its end away.
        if relationship.inverseRelationship?.isToMany != true { continue }
        ends[PropertyID(name: "\(declaring)/\(stable)")] = try end.flatMap(identity)
      } else {
        let text = value.map { "\($0)" }
        if let text { (texts[stable], parts[stable]) = (text, text) }
        values[PropertyID(name: stable)] = text
      }
    }
    let all = parts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    line = "\(entity.name ?? "?") \(try name(object)) \(all.joined(separator: " "))"
    self.identity = try identity(object)
    key = entity.name == "Tag" ? nil : texts["key"]
    (self.texts, self.values, self.ends) = (texts, values, ends)
    links = Self.links(of: object)
    let isLabelled = object.entity.relationshipsByName["label"] != nil
    label = isLabelled ? object.value(forKeyPath: "label.key") as? String : nil
  }

  /// The links of an object, by the names that people use.
  private static func links(of object: NSManagedObject) -> Set<Oracle.Link> {
    let kinds: [String: Oracle.Link.Kind] = ["tags": .tag, "pinned": .pinned, "related": .related]
    var links: Set<Oracle.Link> = []
    for (name, kind) in kinds where object.entity.relationshipsByName[name] != nil {
      for member in object.members(named: name) {
        links.insert(Oracle.Link(kind: kind, owner: object.mark, member: member.mark))
      }
    }
    return links
  }
}

extension NSPropertyDescription {
  /// The name in the first version of the program.
  fileprivate var stableName: String { renamingIdentifier ?? name }
}
