import Foundation

/// Which objects of the destination were made of which objects of the source, mapping by mapping.
///
/// ```
/// NoteToMemo    Note/1 ─▶ Memo/1
///               Note/2 ─▶ Memo/2, Memo/3
/// ```
///
/// The identities are kept. The identity of an unsaved object is temporary, so the object itself is held until
/// ``settle()``.
struct Associations {
  private var tables: [String: Table] = [:]
  /// The objects that were made since the last save.
  private var unsettled: [(mapping: String, made: Made)] = []

  private struct Table {
    var bySource: [ObjectKey: [Made]] = [:]
    var byKey: [ObjectKey: Made] = [:]
    /// In the order in which they were associated.
    var all: [Made] = []
  }

  /// An object of the destination.
  final class Made {
    fileprivate(set) var identity: Identity
    fileprivate(set) var sources: [Identity] = []
    /// Until its identity is permanent.
    fileprivate var object: NSManagedObject?

    fileprivate init(_ object: NSManagedObject) {
      self.object = object
      identity = Identity(object)
    }

    /// The object itself, saved or not.
    func object(in context: NSManagedObjectContext) -> NSManagedObject {
      object ?? identity.object(in: context)
    }
  }

  /// An identity with its entity, from which an object can be had at any time.
  struct Identity {
    let key: ObjectKey
    private unowned(unsafe) let layout: EntityLayout

    fileprivate init(_ object: NSManagedObject) {
      key = object.key
      layout = object.layout
    }

    func object(in context: NSManagedObjectContext) -> NSManagedObject {
      context.object(for: key, of: layout)
    }

    var id: NSManagedObjectID { NSManagedObjectID(key: key, layout: layout) }
  }
}

extension Associations {
  mutating func associate(_ source: NSManagedObject, _ object: NSManagedObject, by mapping: String)
  {
    let (from, key) = (Identity(source), object.key)
    let known = tables[mapping]?.byKey[key]
    let made = known ?? Made(object)
    made.sources.append(from)
    tables[mapping, default: Table()].bySource[from.key, default: []].append(made)
    guard known == nil else { return }
    tables[mapping]?.byKey[key] = made
    tables[mapping]?.all.append(made)
    if key.isTemporary {
      unsettled.append((mapping, made))
    } else {
      made.object = nil
    }
  }

  /// After a save: identities are permanent.
  mutating func settle() {
    var rest: [(mapping: String, made: Made)] = []
    for (mapping, made) in unsettled {
      guard let object = made.object else { continue }
      if object.key.isTemporary {
        rest.append((mapping, made))
        continue
      }
      tables[mapping]?.byKey[made.identity.key] = nil
      made.identity = Identity(object)
      tables[mapping]?.byKey[made.identity.key] = made
      made.object = nil
    }
    unsettled = rest
  }

  /// The objects that one mapping has made, in order.
  func all(by mapping: String) -> [Made] { tables[mapping]?.all ?? [] }

  func made(of source: NSManagedObject, by mapping: String) -> [Made] {
    tables[mapping]?.bySource[source.key] ?? []
  }

  mutating func sources(of object: NSManagedObject, by mapping: String) -> [Identity] {
    let key = object.key
    if let made = tables[mapping]?.byKey[key] { return made.sources }
    // A policy may have saved by itself.
    guard !key.isTemporary, !unsettled.isEmpty else { return [] }
    settle()
    return tables[mapping]?.byKey[key]?.sources ?? []
  }

  /// How many objects of the source something was made of.
  var sourceCount: Int {
    tables.values.reduce(into: Set<ObjectKey>()) { $0.formUnion($1.bySource.keys) }.count
  }
}
