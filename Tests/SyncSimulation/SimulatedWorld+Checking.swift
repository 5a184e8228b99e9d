import CoreData
import CoreDataSync
import CoreDataSyncCore
import Foundation

/// What was wrong in a simulated history.
struct Objection: Error, CustomStringConvertible {
  let description: String
}

// MARK: - At the end of a history

extension SimulatedWorld {
  /// Lets all devices exchange changes until none has any, and sees that they agree, with a new one too.
  func heal() throws {
    trace?("heal")
    try join()
    for device in devices { try device.migrate() }
    for round in 0... {
      if round > 30 { throw Objection(description: "It does not come to rest.") }
      let before = server.rounds
      for device in devices { try synchronize(device) }
      // Each has asked once, and had nothing to say.
      let isQuiet = server.rounds == before + devices.count
      if isQuiet, try devices.allSatisfy({ try $0.running().isAtRest }) { break }
    }
    for device in devices { try checkDenials(at: device) }
    let graphs = try devices.map { try graph(of: $0) }
    guard let first = graphs.last else { return }
    for (device, graph) in zip(devices, graphs) where graph != first {
      throw Objection(
        description: "Device \(device.number) differs from a new one: \(difference(graph, first))"
      )
    }
    if let objection = oracle.objection(to: first) { throw Objection(description: objection) }
  }

  /// Nothing that somebody needs, and that cannot be deleted meanwhile, is deleted.
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

  private func graph(of device: SimulatedDevice) throws -> [GraphObject] {
    let engine = try device.running()
    let context = device.context()
    return try context.performAndWait {
      var all: [GraphObject] = []
      for entity in device.objectModel.entities {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.includesSubentities = false
        for object in try context.fetch(request) {
          all.append(try GraphObject(object, engine.sidecar))
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
  init(_ object: NSManagedObject, _ sidecar: Sidecar) throws {
    func name(_ object: NSManagedObject) throws -> String {
      let address = object.objectID.address
      return try sidecar.identity(at: address).map { String($0.description.prefix(8)) } ?? "unknown"
    }
    var texts: [String: String] = [:]
    for attribute in object.entity.attributesByName.keys {
      if let value = object.value(forKey: attribute) { texts[attribute] = "\(value)" }
    }
    var ends: [String: String] = [:]
    for (relationship, description) in object.entity.relationshipsByName {
      if description.isToMany {
        let members = try object.members(named: relationship).map(name)
        ends[relationship] = (description.isOrdered ? members : members.sorted()).joined(
          separator: " "
        )
      } else if let end = object.value(forKey: relationship) as? NSManagedObject {
        ends[relationship] = try name(end)
      }
    }
    let parts = texts.merging(ends) { first, _ in first }.sorted { $0.key < $1.key }
      .map { "\($0.key)=\($0.value)" }
    line = "\(object.entity.name ?? "?") \(try name(object)) \(parts.joined(separator: " "))"
    key = object.entity.name == "Tag" ? nil : texts["key"]
    self.texts = texts
    links = Self.links(of: object)
    let isLabelled = object.entity.relationshipsByName["label"] != nil
    label = isLabelled ? object.value(forKeyPath: "label.key") as? String : nil
  }
  /// What an object is linked with, as people call it.
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
